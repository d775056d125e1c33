"""`verify-ir replay`: counterexamples before and after a pass, and bundles of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.replay.made_bundles import bundle_of
from verify.cli.main import run
from verify.replay.arrays import DeviceError, arrays_for

CORPUS = Path(__file__).parents[3] / "corpus"
EXAMPLE = str(CORPUS / "unsafe" / "double_snapshot.mlir")
ON_CPU = ("--device", "cpu")


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def replay(*words: str) -> int:
    return run(["replay", *words, *ON_CPU])


@pytest.fixture
def bundle(tmp_path: Path) -> str:
    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle_of("double_snapshot"))
    return str(path)


def test_reads_differ_before_the_pass_and_none_after_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert 1 == replay(EXAMPLE)

    said = capsys.readouterr().out
    rows = [line for line in said.splitlines() if "scf.for of line 10" in line]
    assert 3 == len(rows)
    assert "before: 3 reads differ on cpu (4 replays, 8 reads of the primal)" in said
    assert "after `sink-checkpoint-views`: none differs on the same inputs" in said
    assert "1 of 1 counterexample reproduced on cpu, 1 gone after the pass" in said


def test_what_is_judged_can_be_the_last_stage(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == replay(EXAMPLE, "--judge", "last-stage")


def test_a_pass_that_cures_nothing_leaves_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(CORPUS / "passes" / "sinking_is_not_enough_for_select.mlir")

    assert 1 == replay(path, "-p", "sink-checkpoint-views", "--judge", "last-stage")
    assert "after `sink-checkpoint-views`: 1 read differs" in capsys.readouterr().out


@pytest.mark.parametrize("schedule", ["periodic:2", "binomial:2"])
@pytest.mark.parametrize("layout", ["own", "rows"])
def test_schedules_and_layouts_show_it_too(
    schedule: str, layout: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("checkpoint_schedules")

    assert 1 == replay(EXAMPLE, "--schedule", schedule, "--layout", layout, "--format", "json")

    found = document(capsys)
    assert (schedule, layout) == (found["schedule"], found["layout"])
    (finding,) = found["findings"]
    assert finding["before"]["rows"]
    assert ("ran", []) == (finding["after"]["status"], finding["after"]["rows"])


def test_memory_of_another_space_is_copied_in_a_child(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(CORPUS / "unsafe" / "device_view_without_space.mlir")

    assert 1 == replay(path, "--format", "json")

    (finding,) = document(capsys)["findings"]
    assert "E0104" == finding["code"]
    ends = {attempt["way"]: attempt["end"] for attempt in finding["attempts"]}
    assert {"to-host": "signal", "plain": "copied"} == ends
    assert [] == finding["after"]["rows"]


def test_a_function_without_a_counterexample_is_replayed_on_drawn_inputs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert 0 == replay(str(CORPUS / "safe" / "sibling_loops.mlir"))
    assert "proven; none differs in " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--device", "tpu"), "'tpu' is not one of"),
        (("--schedule", "weekly:3"), "there are: every, periodic:N, binomial:N"),
        (("--schedule", "periodic:0"), "is no schedule"),
        (("--layout", "columns"), "'columns' is not one of"),
        (("-p", "no-such-pass"), "no-such-pass"),
        (("--function", "nobody"), "there is no function `nobody`"),
        (("--result", "x.json"), "is no bundle"),
    ],
)
def test_wrong_usage_is_told(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == run(["replay", EXAMPLE, *words])
    assert said in capsys.readouterr().err


def test_a_gpu_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        arrays_for("cuda")
    except DeviceError as error:
        reason = str(error)
    else:
        pytest.skip("there is a CUDA device here")

    assert 2 == run(["replay", EXAMPLE, "--device", "cuda"])
    assert f"--device: {reason}" in capsys.readouterr().err


def test_a_bundle_is_replayed_like_its_file(
    bundle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 1 == replay(bundle, "--format", "json")
    (from_bundle,) = document(capsys)["findings"]
    assert 1 == replay(EXAMPLE, "--format", "json")
    (from_file,) = document(capsys)["findings"]

    assert from_file["before"] == from_bundle["before"]
    assert from_file["after"] == from_bundle["after"]
    assert from_file["counterexample"] == from_bundle["counterexample"]


def test_the_result_of_a_bundle_is_read_back_into_the_report(
    bundle: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from verify.replay.bundle.runner import main

    result = tmp_path / "result.json"
    assert 0 == main(bundle, ["--device", "cpu", "-o", str(result)])
    assert "  reproduced on CPU (3 differ, ran)" in capsys.readouterr().out

    elsewhere = json.loads(result.read_text())
    elsewhere |= {"device": "cuda", "device_name": "a GPU"}
    result.write_text(json.dumps(elsewhere))

    assert 1 == replay(bundle, "--result", str(result))
    said = capsys.readouterr().out
    assert "before: 3 reads differ on cuda" in said
    assert "none differs on the same inputs" in said
    assert "1 of 1 counterexample reproduced on cuda" in said


def test_the_runner_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from verify.replay.bundle.runner import main

    path = tmp_path / "bundle.zip"
    path.write_bytes(b"PK\x03\x04")

    assert 2 == main(str(path), ["--device", "cpu"])
    assert "no zip file, or a broken one" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("check", EXAMPLE),
        ("passes", EXAMPLE, "-p", "sink-checkpoint-views"),
        ("tv", str(CORPUS / "passes" / "wrong_targets_of_a_sum.mlir")),
        ("replay", EXAMPLE, *ON_CPU),
    ],
)
def test_each_command_writes_bundles_that_reproduce(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "folder"

    assert 1 == run([*words, "--bundle", str(folder)])
    assert str(folder) in capsys.readouterr().out
    made = sorted(folder.iterdir())
    assert made
    for path in made:
        assert 1 == replay(str(path))
        assert "1 of 1 counterexample reproduced on cpu" in capsys.readouterr().out


def test_the_same_finding_gives_the_same_file(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        run(["check", EXAMPLE, "--bundle", str(folder)])

    (one,), (two,) = (list(folder.iterdir()) for folder in folders)
    assert one.name == two.name
    assert one.read_bytes() == two.read_bytes()


def test_a_folder_that_cannot_be_written_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")

    assert 2 == run(["check", EXAMPLE, "--bundle", str(tmp_path / "file")])
    assert "file" in capsys.readouterr().err
