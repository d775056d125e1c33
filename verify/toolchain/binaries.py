"""The `mlir-opt` binaries of this machine: where they are, their versions, and what to call them.

Several can be named at once (`--mlir-opt A,B`); each then has a label, the shortest end of its path
that tells it from the others.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from verify.toolchain.outcome import PassUsageError

_VERSION = re.compile(r"LLVM version (\S+)")
_BINARY_NAME = re.compile(r"mlir-opt(-\d+)?$")
_NOT_IN_LABELS = re.compile(r"[^\w./+-]")
_TAKEN = frozenset({"own", "enzyme", "mlir"})
_VERSION_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Binary:
    """One program, and what it is called where there are several."""

    label: str
    path: str


def find_binary(named: str | None = None) -> str | None:
    """The program `named`, by its path or by a name that is found; else the newest installed."""
    if named is None:
        return newest_binary()
    if Path(named).is_file() and os.access(named, os.X_OK):
        return named
    if Path(named).name != named:
        return None
    return shutil.which(named) or next((p for p in installed() if Path(p).name == named), None)


def names_in(text: str) -> list[str]:
    """The names in a list with commas; a path that exists is one name whatever is in it."""
    parts = [text] if Path(text).is_file() else [part.strip() for part in text.split(",")]
    return list(filter(None, parts))


def binaries_in(text: str) -> tuple[Binary, ...]:
    """The programs of a list with commas; raises `PassUsageError` for one that is not there."""
    found = {name: find_binary(name) for name in names_in(text)}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise PassUsageError(not_runnable(missing[0]))
    paths = list(dict.fromkeys(path for path in found.values() if path))
    labels = _labels(paths)
    return tuple(Binary(*each) for each in zip(labels, paths, strict=True))


def not_runnable(named: str) -> str:
    """Why a program that was asked for is not used."""
    return f"`{named}` is no program that can be run, nor the name of one"


@cache
def newest_binary() -> str | None:
    """The `mlir-opt` of the highest version on the path and among Python packages."""
    found = [(binary_version(path), path) for path in installed()]
    return max(found, key=lambda item: _version_key(item[0]))[1] if found else None


@cache
def other_versions() -> dict[str, str]:
    """The path of each installed program with a version in its name, but for that of the newest.

    Such a name (`mlir-opt-19`) is also that of a toolchain.
    """
    newest = newest_binary()
    known = {binary_version(newest)} if newest else set[str]()
    found: dict[str, str] = {}
    for path in installed():
        name = Path(path).name
        if is_versioned(name) and binary_version(path) not in known:
            known.add(binary_version(path))
            found[name] = path
    return found


def is_versioned(name: str) -> bool:
    """Whether it is the name of an `mlir-opt` that tells its version."""
    match = _BINARY_NAME.fullmatch(name)
    return match is not None and match[1] is not None


@cache
def binary_version(path: str) -> str:
    """The LLVM version that the binary states; empty when it states none."""
    try:
        completed = subprocess.run(
            [path, "--version"],
            capture_output=True,
            timeout=_VERSION_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = _VERSION.search(completed.stdout.decode("utf-8", "replace"))
    return match[1] if match else ""


def _labels(paths: Sequence[str]) -> list[str]:
    """The shortest ends of `paths` that differ."""
    parts = [Path(path).parts for path in paths]
    for length in range(1, max(map(len, parts), default=0) + 1):
        ends = [_NOT_IN_LABELS.sub("_", "/".join(each[-length:])) for each in parts]
        if len(set(ends)) == len(ends):
            return [f"bin/{end}" if end in _TAKEN else end for end in ends]
    return [f"{number}" for number, _ in enumerate(paths, start=1)]


def installed() -> list[str]:
    """Every program called `mlir-opt`, with a version or without, on the path or in a package."""
    folders = [Path(part) for part in os.environ.get("PATH", "").split(os.pathsep) if part]
    folders.append(Path(sysconfig.get_path("scripts")))
    folders.append(Path(sys.executable).parent)
    package = find_spec("mlir")
    places = package.submodule_search_locations if package else None
    folders += [Path(place) / "bin" for place in places or ()]
    found = [
        str(file)
        for folder in dict.fromkeys(folders)
        if folder.is_dir()
        for file in sorted(folder.glob("mlir-opt*"))
        if _BINARY_NAME.match(file.name) and os.access(file, os.X_OK)
    ]
    return list(dict.fromkeys(found))


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
