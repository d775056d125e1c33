import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.unit.cli.checker import functions
from verify.cli.jobs import job_count

ROOT = Path(__file__).parents[3]
# The workers run this file too, so that the stand-in for the checks is installed in them.
SCRIPT = """
import pytest
from tests.unit.cli import checker
checker.install(pytest.MonkeyPatch())
if __name__ == "__main__":
    from verify.cli.main import main
    main()
"""


@pytest.mark.parametrize(
    ("wanted", "tasks", "expected"), [(1, 100, 1), (4, 100, 4), (4, 2, 2), (0, 3, 1), (3, 0, 1)]
)
def test_no_more_processes_than_asked_for_or_of_use(wanted: int, tasks: int, expected: int) -> None:
    assert expected == job_count(wanted, tasks)


def test_many_files_get_as_many_processes_as_there_are_processors() -> None:
    assert min(os.cpu_count() or 1, 100) == job_count(0, 100)


def start(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    (folder / "run.py").write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, "run.py", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_results_come_in_the_order_of_the_inputs(tmp_path: Path) -> None:
    names = ["c.mlir", "a.mlir", "d.mlir", "b.mlir"]
    for name in names:
        (tmp_path / name).write_text(functions("crash" if name == "d.mlir" else "fine"))

    with start(tmp_path, *names, "--jobs", "2", "--format", "json") as running:
        printed, reports = running.communicate(timeout=120)

    assert names == [file["path"] for file in json.loads(printed)["files"]]
    assert 70 == running.returncode
    assert 1 == reports.count("please report this block")


def test_a_worker_that_dies_costs_only_its_file(tmp_path: Path) -> None:
    names = ["a.mlir", "b.mlir", "c.mlir"]
    for name in names:
        (tmp_path / name).write_text(functions("die" if name == "b.mlir" else "fine"))

    with start(tmp_path, *names, "--jobs", "2", "--format", "json") as running:
        printed, reports = running.communicate(timeout=120)

    verdicts = [file["verdict"] for file in json.loads(printed)["files"]]
    assert ["proven", "undecided", "proven"] == verdicts
    assert 70 == running.returncode
    assert "file:      b.mlir\nthe process that checked it died\n" in reports


def test_an_interrupt_keeps_what_the_workers_finished(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(functions("refuted"))
    os.mkfifo(tmp_path / "b.mlir")

    with start(tmp_path, "a.mlir", "b.mlir", "--jobs", "2", "-v") as running:
        assert running.stderr is not None
        assert "[1/2] a.mlir\n" == running.stderr.readline()
        time.sleep(0.2)
        running.terminate()
        printed, _ = running.communicate(timeout=60)

    assert 130 == running.returncode
    assert "a.mlir: @refuted: refuted (E0101)" in printed
