import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.unit.reduce.bloat import bloated
from tests.unit.reduce.programs import CORPUS, causes_of
from verify.cli.main import run
from verify.ir.frontend import has_bindings

ROOT = Path(__file__).parents[3]
SNAPSHOT = (CORPUS / "unsafe" / "double_snapshot.mlir").read_text()
_ENTRY = "from verify.cli.main import main; main()"


def error_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert 2 == run(["reduce", *arguments])
    printed = capsys.readouterr()
    assert "" == printed.out
    assert "Traceback" not in printed.err
    return printed.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "E0101 does not occur in"),
        ("func.func @f() {\n  return\n}\n", "E0101 does not occur in"),
        ("this is no MLIR\n", ":1:1: [E0001]"),
        ("func.func @f() {\n  what.ever %x\n}\n", ":2:3: [E0001]"),
        (
            'func.func @f() {\n  "func.return"() : () -> ()\n}\nfunc.func @f() {\n  return\n}\n',
            "[E0002]",
        ),
    ],
)
@pytest.mark.skipif(not has_bindings(), reason="no MLIR bindings here")
def test_a_file_with_nothing_to_keep_is_refused(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(text)

    assert message in error_of(capsys, str(path), "--keep", "E0101")


def test_what_does_occur_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(SNAPSHOT)

    assert "found: E0101 (stale-snapshot)" in error_of(capsys, str(path), "--keep", "E0105")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--keep", "E9999"], "unknown code `E9999`"),
        (["--keep", "E0001"], "about a file that cannot be read"),
        (["--keep", "crash"], "E0304 is about passes; name them with -p"),
        (["--keep", "crash", "-p", "sink-checkpoint-views", "--function", "f"], "not about a func"),
        (["--keep", "E0101", "--function", "nowhere"], "no `@nowhere` here; there are: `@running"),
        (["--keep", "E0303", "-p", "no-such-pass"], "no-such-pass"),
        (["--keep", "E0101", "-o", "no/such/folder/o.mlir"], "its folder does not exist"),
        ([], "Missing option '--keep'"),
    ],
)
def test_wrong_usage_is_told(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(SNAPSHOT)

    assert message in error_of(capsys, str(path), *arguments)


def test_a_folder_or_a_missing_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "is a folder" in error_of(capsys, str(tmp_path), "--keep", "E0101")
    assert "no such file" in error_of(capsys, str(tmp_path / "x.mlir"), "--keep", "E0101")


def test_the_result_is_a_corpus_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "a.mlir", tmp_path / "b.mlir"
    path.write_text(bloated(SNAPSHOT, 60))

    assert 0 == run(["reduce", str(path), "--keep", "stale-snapshot"])

    printed = capsys.readouterr()
    out.write_text(printed.out)
    assert printed.out.startswith("// Shows: a replay reads a stale copy")
    assert "// RUN: verify-ir check %s --verify-diagnostics\n" in printed.out
    assert "reduce: keeping E0101 (stale-snapshot)" in printed.err
    assert "ops, " in printed.err.splitlines()[-1]
    assert 0 == run(["corpus", str(out)])


def start(path: Path, out: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", _ENTRY, "reduce", str(path), "--keep", "E0101", "-o", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment)


def wait_for_first(process: "subprocess.Popen[str]") -> None:
    """Wait until the process has told of a smaller module."""
    assert process.stderr is not None
    for line in process.stderr:
        if "left" in line:
            return
    pytest.fail("the search told of nothing smaller")


def wait_for_file(out: Path) -> None:
    deadline = time.monotonic() + 30
    while not out.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_was_found_survives_an_end_from_outside(
    number: signal.Signals, tmp_path: Path
) -> None:
    path, out = tmp_path / "a.mlir", tmp_path / "b.mlir"
    path.write_text(bloated(SNAPSHOT, 240))
    process = start(path, out)
    wait_for_first(process)
    wait_for_file(out)

    process.send_signal(number)
    _, printed = process.communicate(timeout=60)

    assert (-9 if number is signal.SIGKILL else 130) == process.returncode
    assert "Traceback" not in printed
    text = out.read_text()
    assert len(text.splitlines()) < len(path.read_text().splitlines())
    assert causes_of(text, "", "E0101")
