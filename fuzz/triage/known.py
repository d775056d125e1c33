"""What is known already: files of findings in real compilers, with what shows on them.

The files are those of `corpus/found/`: each has a `RUN: verify-ir passes ... -p PASSES` line.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fuzz.store import Store
from fuzz.triage.task import Reduction, Task
from verify.toolchain.pipelines import split_pipelines

FOLDER = Path("corpus/found")
_RUN = re.compile(r"^\s*//\s*RUN:\s*verify-ir\s+(.*)$", re.MULTILINE)
_VERSION = "2"


@dataclass(frozen=True, slots=True)
class Known:
    """A file of a finding, with what was seen on it."""

    path: str
    seen: Reduction


def specs_in(text: str) -> tuple[str, ...]:
    """The passes that the RUN lines of a file name; those of longer pipelines are left out."""
    found: list[str] = []
    for match in _RUN.finditer(text):
        words = shlex.split(match[1])
        if words[:1] == ["passes"] and "-p" in words[:-1]:
            specs = split_pipelines(words[words.index("-p") + 1])
            found += specs if len(specs) == 1 else []
    return tuple(dict.fromkeys(found))


def look_at_known(
    store: Store,
    folder: Path,
    pipelines: frozenset[str],
    oracles: Sequence[str],
    work: Callable[[Task], Reduction],
) -> Iterator[str]:
    """Note what shows on each file that runs one of `pipelines`; gives the paths, one by one."""
    done = {path: digest for path, digest, _ in store.rows_of("known")}
    for path in sorted(folder.glob("*.mlir")):
        text = path.read_text(encoding="utf-8", errors="replace")
        specs = tuple(s for s in specs_in(text) if pipeline_of(s) in pipelines)
        digest = sha256(f"{_VERSION}{specs}{oracles}{text}".encode()).hexdigest()
        if not specs or done.get(path.as_posix()) == digest:
            continue
        task = Task("look", "", "", specs[0], "", text, specs=specs, oracles=tuple(oracles))
        seen = work(task)
        store.put("known", path.as_posix(), digest, json.dumps(seen.to_plain()))
        yield path.as_posix()


def known_in(store: Store) -> list[Known]:
    """The files that were looked at."""
    rows = store.rows_of("known")
    return [Known(path, Reduction.from_plain(json.loads(data))) for path, _, data in rows]


def pipeline_of(spec: str) -> str:
    """A pass without the toolchain that it is run by; one of this project's own stays apart."""
    head, colon, rest = spec.partition(":")
    return rest if colon and "{" not in head else f"own {spec}" if spec else ""
