"""The inputs a command line names: files, folders that are walked for `.mlir`, or `-`."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

STDIN = "-"


def expand(paths: Sequence[str]) -> list[str]:
    """Every file named or found in a named folder, once, in the order of the command line."""
    if list(paths).count(STDIN) > 1:
        raise click.UsageError("standard input (`-`) can be read only once")
    return list(dict.fromkeys(file for path in paths for file in _files_of(path)))


def _files_of(path: str) -> Iterable[str]:
    if path == STDIN:
        return [STDIN]
    place = Path(path)
    if place.is_dir():
        found = walk(place)
        if not found:
            raise click.UsageError(f"no .mlir file in folder `{path}`")
        return found
    if not os.path.lexists(path):
        raise click.UsageError(f"no such file or folder: `{path}`")
    return [path]


def walk(folder: Path) -> list[str]:
    """The `.mlir` files below `folder`, sorted; hidden folders are left out."""
    found: list[str] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [str(Path(parent, name)) for name in sorted(names) if name.endswith(".mlir")]
    return found


def read_stdin() -> bytes:
    """All of standard input."""
    return sys.stdin.buffer.read()
