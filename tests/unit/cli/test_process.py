"""Whole commands in processes of their own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.unit.cli.checker import functions

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-c", "from verify.cli.main import main; main()"]
# A stand-in for the checks is installed before the command runs.
FAKED = """
import sys, pytest
from tests.unit.cli import checker
if __name__ == "__main__":
    checker.install(pytest.MonkeyPatch())
    from verify.cli.main import main
    main()
"""
HEAVY = ("z3", "xdsl", "hypothesis", "numpy", "mlir", "jinja2", "pygments")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["--version"], ["explain"]])
def test_help_loads_no_heavy_package(arguments: list[str]) -> None:
    script = (
        "import sys\nfrom verify.cli.main import run\n"
        f"status = run({arguments!r})\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
        "sys.exit(status)\n"
    )

    ended = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (0, "[]\n") == (ended.returncode, ended.stderr)


def test_help_tells_every_exit_status() -> None:
    ended = subprocess.run(
        [*COMMAND, "--help"],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    for status in (0, 1, 2, 3, 70, 130):
        assert f"\n  {status:>5}  " in ended.stdout


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_with_status_130_and_what_was_finished(
    sent: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "a.mlir").write_text(functions("refuted"))
    os.mkfifo(tmp_path / "b.mlir")
    with subprocess.Popen(
        [sys.executable, "-c", FAKED, "a.mlir", "b.mlir", "-v"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        assert running.stdout is not None
        assert running.stderr.readline() == "[1/2] a.mlir\n"
        time.sleep(0.2)
        running.send_signal(sent)

        assert running.wait(timeout=30) == 130
        assert "a.mlir: @refuted: refuted (E0101)" in running.stdout.read()


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(functions(*(f"refuted_{number}" for number in range(20000))))
    with subprocess.Popen(
        [sys.executable, "-c", FAKED, "a.mlir"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()

        assert running.wait(timeout=60) == 1
        assert "" == running.stderr.read()
