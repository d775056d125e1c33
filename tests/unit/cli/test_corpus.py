from pathlib import Path

import pytest

from tests.unit.cli import checker
from verify.cli.corpus import run_line, run_lines
from verify.cli.main import run

CHECK = "// RUN: verify-ir check %s\n"


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    checker.install(monkeypatch)
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def test_every_run_line_is_held_to_the_comments(capsys: pytest.CaptureFixture[str]) -> None:
    write("c/safe/a.mlir", CHECK + checker.functions("fine"))
    error = "// expected-error@+1 {{E0101}}\n"
    both = CHECK + "// RUN: verify-ir passes %s -p sink-checkpoint-views\n"
    later = "// expected-error@+1 {{after:sink-checkpoint-views [E0101]}}\n"
    doubled = later.replace("+1", "+2") + error
    write("c/unsafe/b.mlir", both + doubled + checker.functions("refuted"))

    assert run(["corpus", "c"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ok   c/safe/a.mlir: verify-ir check %s"
    assert lines[2] == "ok   c/unsafe/b.mlir: verify-ir passes %s -p sink-checkpoint-views"
    assert lines[3].startswith("2 files: 3 as expected, 0 not, 0 skipped (")


def test_a_mismatch_fails_and_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    write("c/a.mlir", CHECK + checker.functions("refuted"))
    write("c/b.mlir", CHECK + checker.functions("fine"))

    assert run(["corpus", "c", "-q"]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "FAIL c/a.mlir: verify-ir check %s"
    assert lines[1] == "     c/a.mlir:2:1: unexpected error: [E0101] about refuted"
    assert lines[2].startswith("2 files: 1 as expected, 1 not, 0 skipped (")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.mlir", "", "no `// RUN: verify-ir ...` line"),
        ("a.mlir", "// RUN: mlir-opt %s\n", "RUN line does not start with `verify-ir`"),
        ("a.mlir", '// RUN: verify-ir "%s\n', "RUN line does not start with `verify-ir`"),
        ("a.mlir", CHECK + "// expected-error {{after:y [E0101]}}\n", "has the stage of line 2"),
        ("unsafe/a.mlir", CHECK, "a file in `unsafe` expects no error"),
        ("undecided/a.mlir", CHECK, "a file in `undecided` expects no remark"),
        ("safe/a.mlir", CHECK + "// expected-error {{x}}\n", "a file in `safe` expects an error"),
    ],
)
def test_files_that_do_not_belong_where_they_are_fail(
    name: str, text: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(f"c/{name}", text)

    assert run(["corpus", "c"]) == 1

    assert reason in capsys.readouterr().out


def test_a_fault_is_status_70_and_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    write("c/a.mlir", CHECK + checker.functions("crash"))

    write("c/b.mlir", CHECK + checker.functions("crash"))

    assert run(["corpus", "c"]) == 70

    printed = capsys.readouterr().out
    assert printed.count("Traceback") == 1
    assert "     the same fault as in c/a.mlir\n" in printed


def test_a_line_is_skipped_where_its_toolchain_is_missing() -> None:
    command = "verify-ir passes %s -p enzyme:sink-checkpoint-views"

    skipped = run_line("a.mlir", command, {"enzyme": "needs Python 3.11"})

    assert ("skip", "enzyme: needs Python 3.11") == (skipped.state, skipped.detail)
    assert "skip" != run_line("a.mlir", "verify-ir %s", {"enzyme": "x"}).state
    assert (
        "skip" != run_line("a.mlir", command.replace("enzyme:", "mlir:"), {"mlir-opt": "x"}).state
    )


def test_run_lines_may_be_continued() -> None:
    text = "// RUN: verify-ir passes \\\n// RUN:   %s -p x\n//RUN: verify-ir %s\n"

    assert ["verify-ir passes %s -p x", "verify-ir %s"] == run_lines(text)
