"""Draws that can be repeated, and changed in one stretch."""

import random
import subprocess
import sys
from pathlib import Path

from fuzz.draws import Draws
from fuzz.recipes import FAMILIES, Draw, Edit, choices_of, from_json, text_of, to_json
from fuzz.strategies.whole_types import Mem
from tests.unit.fuzz.campaigning import environment

SEED = (Path(__file__).parents[3] / "corpus/unsafe/double_snapshot.mlir").read_text()


def test_without_patches_the_choices_are_those_of_the_seed() -> None:
    ours, plain = Draws("5"), random.Random("5")

    assert [plain.randint(0, 99) for _ in range(50)] == [ours.randint(0, 99) for _ in range(50)]


def test_a_patch_changes_its_stretch_only() -> None:
    plain, patched = Draws("5"), Draws("5", [(10, 5, 1)])
    before = [plain.random() for _ in range(30)]
    after = [patched.random() for _ in range(30)]

    assert before[:10] == after[:10]
    assert before[15:] == after[15:]
    assert all(a != b for a, b in zip(before[10:15], after[10:15], strict=True))


def test_a_small_size_draws_smaller_numbers() -> None:
    small, full = Draws("5", size=0.3), Draws("5")

    small_sum = sum(small.randint(0, 9) for _ in range(500))
    assert small_sum < 0.6 * sum(full.randint(0, 9) for _ in range(500))


def test_small_draws_stay_in_range() -> None:
    draws = Draws("5", size=0.3)

    assert {1, 2, 3} == {draws.randint(1, 3) for _ in range(300)}


def test_every_family_gives_the_same_text_again() -> None:
    for family in FAMILIES:
        recipe = Draw(family, "3/4", ((7, 4, 11),), 0.6)

        assert text_of(recipe) == text_of(from_json(to_json(recipe)))
        assert choices_of(recipe) > 7


def test_a_child_starts_like_its_parent() -> None:
    parent = Draw("synchronous", "3/4")
    child = Draw("synchronous", "3/4", ((choices_of(parent) - 2, 99, 1),))

    assert text_of(parent).splitlines()[:20] == text_of(child).splitlines()[:20]


def test_programs_do_not_depend_on_the_order_of_sets() -> None:
    script = (
        "from fuzz.recipes import FAMILIES, Draw, text_of\n"
        "for family in FAMILIES:\n"
        "    for number in range(150):\n"
        "        print(text_of(Draw(family, f'9/{number}', ((7, 4, 11),))))\n"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**environment(), "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1", "2")
    ]  # fmt: skip

    assert 1 == len(set(texts))


def test_a_file_without_edits_is_the_file() -> None:
    recipe = Edit("a.mlir", 0, 5, 0)

    assert SEED == text_of(from_json(to_json(recipe)), SEED)


def test_edits_depend_on_their_seed_alone() -> None:
    texts = [text_of(Edit("a.mlir", 0, s, 3), SEED) for s in (1, 1, 2, 3, 4)]

    assert texts[0] == texts[1]
    assert len(set(texts)) >= 3


def test_rows_that_are_written_out_are_a_layout_and_a_line_is_none() -> None:
    assert Mem("f32", (4,), (1,)).is_identity
    assert not Mem("f32", (4, 4), (4, 1)).is_identity


def test_strides_above_a_size_of_zero_are_open_as_in_what_mlir_infers() -> None:
    assert (None, 1) == Mem("f32", (3, 0)).all_strides()
    assert (2, 1) == Mem("f32", (3, 2)).all_strides()
