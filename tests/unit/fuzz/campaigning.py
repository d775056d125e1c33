"""Campaigns in processes of their own."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-c", "from verify.cli.main import main; main()"]
QUICK = "crash,output,refusal,contract,own-pass,invariants"
OWN = "sink-checkpoint-views,gpu-async-region"


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def command(*arguments: str) -> list[str]:
    return [*COMMAND, "fuzz", *arguments]


def fuzz(*arguments: str, timeout_s: float = 120.0) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=timeout_s,
        cwd=ROOT,
        env=environment(),
        check=False,
    )


def told(output: str) -> list[int]:
    """The numbers of the findings that a campaign told; a line that was cut off counts not."""
    lines = [line for line in output.splitlines(keepends=True) if line.endswith("\n")]
    return [int(line.split()[1]) for line in lines if line.startswith("finding ")]


def rows(store: Path, query: str) -> list[tuple[object, ...]]:
    database = sqlite3.connect(store)
    try:
        is_made = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        return database.execute(query).fetchall() if is_made else []
    finally:
        database.close()


def findings(store: Path) -> set[tuple[object, ...]]:
    """What was found, without when and in which order."""
    return set(rows(store, "SELECT grp, number, oracle, target, code, message, text FROM finding"))
