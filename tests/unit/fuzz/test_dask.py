"""A scheduler and two workers as processes of their own; one worker is killed on the way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.unit.fuzz.campaigning import (
    QUICK,
    ROOT,
    command,
    environment,
    findings,
    fuzz,
    rows,
)

SOME = ["--targets", "gpu-async-region{form=first}", "--oracles", QUICK, "--seed", "7"]
BUDGET = ["--budget", "60", "--count", "120", "--no-triage"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("distributed") is None, reason="dask is not installed"),
]


def dask(tmp_path: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        cwd=tmp_path,
        start_new_session=True,
    )


def end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    file = tmp_path / "scheduler.json"
    loopback = ["--scheduler-file", str(file), "--interface", "lo"]
    with ExitStack() as stack:
        quiet = ["--no-dashboard", "--dashboard-address", ":0"]
        scheduler = dask(tmp_path, "scheduler", "--port", "0", *quiet, *loopback)
        stack.callback(end, scheduler)
        begin = time.monotonic()
        while not (file.exists() and file.read_text()) and time.monotonic() - begin < 60:
            time.sleep(0.1)
        workers = [
            dask(tmp_path, "worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", *loopback)
            for _ in range(2)
        ]
        for worker in workers:
            stack.callback(end, worker)
        import json

        yield json.loads(file.read_text())["address"], workers


def test_a_killed_worker_changes_nothing_that_is_found(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    address, workers = cluster
    far, near = tmp_path / "far.db", tmp_path / "near.db"
    engine = ["--engine", "dask", "--scheduler", address]
    process = subprocess.Popen(
        command("run", *SOME, *BUDGET, "--store", str(far), *engine),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(), cwd=ROOT,
    )  # fmt: skip
    query = "SELECT count(*) FROM program WHERE status = 'judged'"
    begin = time.monotonic()
    while time.monotonic() - begin < 90:
        time.sleep(0.1)
        counts = rows(far, query) if far.exists() else []
        if counts and counts[0][0] not in range(20):
            break
    assert process.poll() is None
    end(workers[0])
    assert 1 == process.wait(timeout=120)

    assert 1 == fuzz("run", *SOME, *BUDGET, "--store", str(near), "--jobs", "2").returncode
    assert [(120,)] == rows(far, "SELECT count(*) FROM program WHERE status = 'judged'")
    assert findings(near) == findings(far)
    assert findings(far)


def test_a_scheduler_that_is_not_there_is_told(tmp_path: Path) -> None:
    engine = ["--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"]
    done = fuzz("run", "--store", str(tmp_path / "a.db"), "--count", "2", *engine)

    assert 2 == done.returncode
    assert "no scheduler answers" in done.stderr
