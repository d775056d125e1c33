"""Whole texts kept under `tests/snapshots/`; `UPDATE_SNAPSHOTS=1` writes them anew."""

import os
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "snapshots"


def assert_snapshot(name: str, actual: str) -> None:
    path = FOLDER / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(actual, encoding="utf-8")
    expected = path.read_text(encoding="utf-8")

    assert expected == actual
