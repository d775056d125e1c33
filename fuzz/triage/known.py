"""What is known already: files of findings in real compilers, with what shows on them.

The files are those of `corpus/found/`: each has a `RUN: verify-ir passes ... -p PASSES` line, or
one of `verify-ir gradient`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fuzz.settings import GRADIENT
from fuzz.store import Store
from fuzz.subject import last_pass
from fuzz.triage.task import Reduction, Task
from verify.toolchain.pipelines import split_pipelines

FOLDER = Path("corpus/found")
_RUN = re.compile(r"^\s*//\s*RUN:\s*verify-ir\s+(.*)$", re.MULTILINE)
_VERSION = "3"


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
        if words[:1] == ["gradient"]:
            found.append(GRADIENT)
        elif words[:1] == ["passes"] and "-p" in words[:-1]:
            specs = split_pipelines(words[words.index("-p") + 1])
            found += specs if len(specs) == 1 else []
    return tuple(dict.fromkeys(found))


def look_at_known(
    store: Store,
    folder: Path,
    passes: frozenset[str],
    oracles: Sequence[str],
    work: Callable[[Task], Reduction],
) -> Iterator[str]:
    """Note what shows on each file that runs one of `passes`; gives the paths, one by one."""
    done = {path: digest for path, digest, _ in store.rows_of("known")}
    for path in sorted(folder.glob("*.mlir")):
        text = path.read_text(encoding="utf-8", errors="replace")
        specs = tuple(s for s in map(_asked_as, specs_in(text)) if blamed(s) in passes)
        asked = ("gradient",) if GRADIENT in specs else tuple(oracles)
        digest = sha256(f"{_VERSION}{specs}{asked}{text}".encode()).hexdigest()
        if not specs or done.get(path.as_posix()) == digest:
            continue
        task = Task("look", "", "", specs[0], "", text, specs=specs, oracles=asked)
        seen = work(task)
        store.put("known", path.as_posix(), digest, json.dumps(seen.to_plain()))
        yield path.as_posix()


def known_in(store: Store) -> list[Known]:
    """The files that were looked at."""
    rows = store.rows_of("known")
    return [Known(path, Reduction.from_plain(json.loads(data))) for path, _, data in rows]


def _asked_as(spec: str) -> str:
    """How a campaign names a pass: what is to be differentiated the oracle finds itself."""
    return GRADIENT if spec.startswith(GRADIENT + "{") else spec


def blamed(spec: str) -> str:
    """The pass that a finding is about, without its toolchain: the last one of a pipeline."""
    return pipeline_of(last_pass(spec)[1])


def pipeline_of(spec: str) -> str:
    """A pass without the toolchain that it is run by; one of this project's own stays apart."""
    head, colon, rest = spec.partition(":")
    return rest if colon and "{" not in head else f"own {spec}" if spec else ""
