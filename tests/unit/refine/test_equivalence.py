"""Pairs of a source and a target: what passes do, and what they must not do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.refine.pairs import RIGHT, WRONG, outcome, pair

CORPUS = Path(__file__).parents[3] / "corpus"
UNREADABLE = ("E0001", "E0002")
FILES = [
    path
    for path in sorted([*CORPUS.glob("safe/*.mlir"), *CORPUS.glob("unsafe/*.mlir")])
    if not any(f"[{code}]" in path.read_text() for code in UNREADABLE)
]


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_proven(name: str) -> None:
    assert "proven" == outcome(*pair(*RIGHT[name]))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refuted(name: str) -> None:
    assert "refuted E0302" == outcome(*pair(*WRONG[name]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_does_what_it_does(path: Path) -> None:
    text = path.read_text()

    assert outcome(text, text) in ("proven", "nothing to compare")


def test_order_and_names_do_not_matter() -> None:
    one = "func.func @a(%x: f32) -> f32 {\n  return %x : f32\n}\n"
    other = "func.func @b(%y: i32) -> i32 {\n  return %y : i32\n}\n"

    assert "proven" == outcome(one + other, other + one.replace("%x", "%renamed"))


def test_a_function_that_is_gone_is_an_open_question() -> None:
    one = "func.func @a() {\n  return\n}\n"

    assert "undecided U0003" == outcome(one, one.replace("@a", "@b"))


def test_other_arguments_are_another_function() -> None:
    one = "func.func @a(%x: f32) {\n  return\n}\n"

    assert "undecided U0002" == outcome(one, one.replace("f32", "f64"))
