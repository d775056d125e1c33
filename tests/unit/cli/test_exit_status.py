import json
from pathlib import Path

import pytest

from tests.unit.cli import checker
from verify.cli.main import run


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checker.install(monkeypatch)
    monkeypatch.chdir(tmp_path)


def write(name: str, *functions: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(checker.functions(*functions))
    return name


@pytest.mark.parametrize(
    ("functions", "expected"),
    [
        (["fine"], 0),
        (["fine", "warned"], 0),
        (["fine", "assumed"], 0),
        (["fine", "refuted", "undecided"], 1),
        (["fine", "undecided"], 3),
        (["crash"], 70),
        (["interrupt"], 130),
        ([], 0),
    ],
)
def test_the_worst_function_decides(functions: list[str], expected: int) -> None:
    assert expected == run(["check", write("f.mlir", *functions)])


def test_strict_makes_a_warning_an_error() -> None:
    assert 1 == run([write("f.mlir", "warned"), "--strict"])


def test_input_that_cannot_be_read_is_status_2_unless_something_is_refuted() -> None:
    Path("bad.mlir").write_text("func.func @f( {")
    undecided, refuted = write("u.mlir", "undecided"), write("r.mlir", "refuted")

    assert 2 == run(["bad.mlir"])
    assert 2 == run(["bad.mlir", undecided])
    assert 1 == run(["bad.mlir", undecided, refuted])


def test_a_file_that_is_not_text_or_cannot_be_opened_is_status_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("bytes.mlir").write_bytes(b"\xff\xfe\x00")
    Path("dangling.mlir").symlink_to("nowhere")

    assert 2 == run(["bytes.mlir", "dangling.mlir"])

    printed = capsys.readouterr().out
    assert 2 == printed.count("error[E0001]")
    assert "the file cannot be read: No such file or directory" in printed


def test_a_fault_is_confined_to_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    files = [write("a.mlir", "fine"), write("b.mlir", "crash"), write("c.mlir", "refuted")]

    assert 70 == run([*files, "--format", "json"])

    printed = capsys.readouterr()
    verdicts = [file["verdict"] for file in json.loads(printed.out)["files"]]
    assert ["proven", "undecided", "refuted"] == verdicts
    for line in ("verify-ir: ", "python: ", "platform: ", "command: ", "file:      b.mlir"):
        assert f"\n{line}" in printed.err
    assert "RuntimeError: made to fail\n==== end of report ====\n" in printed.err


def test_the_same_fault_is_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    run([write("a.mlir", "crash"), write("b.mlir", "crash")])

    reports = capsys.readouterr().err
    assert reports.count("Traceback") == 1
    assert reports.endswith("verify-ir failed in the same way on b.mlir\n")


def test_a_fault_is_counted_in_text(capsys: pytest.CaptureFixture[str]) -> None:
    run([write("f.mlir", "crash")])

    assert "0 functions in 1 module: 1 file not checked" in capsys.readouterr().out


def test_an_interrupt_keeps_what_was_finished(capsys: pytest.CaptureFixture[str]) -> None:
    files = [write("a.mlir", "refuted"), write("b.mlir", "interrupt"), write("c.mlir", "fine")]

    assert 130 == run(files)

    printed = capsys.readouterr().out
    assert "a.mlir: @refuted: refuted (E0101)" in printed
    assert "interrupted; 1 function in 1 module" in printed
    assert "c.mlir" not in printed


@pytest.mark.parametrize(
    ("functions", "every_stage", "last_stage"),
    [
        (["fine"], 0, 0),
        (["cured"], 1, 0),
        (["broken"], 1, 1),
        (["refuted"], 1, 1),
        (["undecided"], 3, 3),
    ],
)
def test_passes_judges_every_stage_or_the_last(
    functions: list[str], every_stage: int, last_stage: int
) -> None:
    command = ["passes", write("f.mlir", *functions), "-p", "sink-checkpoint-views"]

    assert every_stage == run(command)
    assert last_stage == run([*command, "--judge", "last-stage"])


def test_a_pass_that_breaks_and_one_that_cures_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["passes", write("f.mlir", "cured", "broken"), "-p", "sink-checkpoint-views"])

    printed = capsys.readouterr().out
    assert "@cured: E0101 is gone after `sink-checkpoint-views`" in printed
    assert (
        "error[E0303]: `sink-checkpoint-views` breaks `@broken`: free of E0101 (stale-snapshot) "
        "before it and not after it"
    ) in printed


def test_a_pass_that_comes_twice_has_two_stages(capsys: pytest.CaptureFixture[str]) -> None:
    twice = "sink-checkpoint-views,sink-checkpoint-views"

    assert 0 == run(["passes", write("f.mlir", "fine"), "-p", twice])

    printed = capsys.readouterr().out
    assert "after:sink-checkpoint-views " in printed
    assert "after:sink-checkpoint-views#2" in printed


def test_expectations_alone_decide_when_they_are_verified() -> None:
    text = checker.functions("refuted")
    Path("met.mlir").write_text("// expected-error@+1 {{[E0101] about refuted}}\n" + text)
    Path("unmet.mlir").write_text(text)

    assert 0 == run(["met.mlir", "--verify-diagnostics"])
    assert 1 == run(["met.mlir", "unmet.mlir", "--verify-diagnostics"])


def test_mismatches_are_the_result_in_text_and_progress_elsewhere(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = write("f.mlir", "refuted")
    line = "f.mlir:1:1: unexpected error: [E0101] about refuted\n"

    run([file, "--verify-diagnostics"])
    assert (line, "") == capsys.readouterr()

    run([file, "--verify-diagnostics", "--format", "json"])
    printed = capsys.readouterr()
    assert "refuted" == json.loads(printed.out)["verdict"]
    assert line == printed.err
