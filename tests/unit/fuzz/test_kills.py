"""Whatever is killed, nothing that was told is lost, and nothing is there twice."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
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
    told,
)

KILLS = 20
COUNT = 150
SOME = ["--targets", "gpu-async-region{form=first}", "--oracles", QUICK, "--seed", "7"]
BUDGET = ["--budget", "60", "--count", str(COUNT), "--no-triage"]


def workers_of(pid: int) -> list[int]:
    """The processes that a process started."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        return [int(word) for word in path.read_text().split()]
    except OSError:
        return []


def has_campaign(store: Path) -> bool:
    """Whether a campaign was begun before the first kill came."""
    try:
        return store.exists() and rows(store, "SELECT count(*) FROM campaign")[0][0] == 1
    except sqlite3.Error:
        return False


def wait_for_campaign(store: Path) -> None:
    """A machine with much to do takes long to begin one, and a kill before that shows little."""
    end = time.monotonic() + 30.0
    while not has_campaign(store) and time.monotonic() < end:
        time.sleep(0.05)


def one_life(store: Path, draw: random.Random) -> tuple[str, bool]:
    """Start or go on, kill the campaign or one of its workers; what it told, and if it ended."""
    start = ["resume", "--no-triage"] if has_campaign(store) else ["run", *SOME, *BUDGET]
    process = subprocess.Popen(
        command(*start, "--store", str(store), "--jobs", "2"),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(), cwd=ROOT, text=True,
    )  # fmt: skip
    if draw.random() < 0.8:
        wait_for_campaign(store)
    time.sleep(draw.uniform(0.2, 2.2))
    children = workers_of(process.pid)
    if children and draw.random() < 0.4:
        os.kill(draw.choice(children), signal.SIGKILL)
        time.sleep(draw.uniform(0.05, 0.5))
    process.kill()
    output, _ = process.communicate()
    return output, process.returncode != -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="children are found in /proc")
def test_twenty_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    store, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    draw = random.Random(3)
    said: list[int] = []
    for _ in range(KILLS):
        output, _ = one_life(store, draw)
        said += told(output)
        if has_campaign(store):
            kept = {n for (n,) in rows(store, "SELECT id FROM finding")}
            assert set(said) <= kept
    assert len(said) == len(set(said))

    assert 1 == fuzz("resume", "--store", str(store), "--no-triage").returncode
    assert 1 == fuzz("run", *SOME, *BUDGET, "--store", str(whole), "--jobs", "2").returncode
    assert [(COUNT,)] == rows(store, "SELECT count(*) FROM program WHERE status != 'planned'")
    assert findings(whole) == findings(store)
    assert len(findings(store)) == rows(store, "SELECT count(*) FROM finding")[0][0]
    assert findings(store)
