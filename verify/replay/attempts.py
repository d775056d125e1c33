"""Attempts to copy memory as if it lay in another space, each in a process that may die of it."""

from __future__ import annotations

import json
import os
import pkgutil
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from typing import Any

PAGE_BYTES = 4096
_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a copy ended.

    `memory` is what was copied, `end` is `signal`, `error`, `copied`, or `not-run` when the child
    did not get as far as the copy; `detail` names the signal or the error.
    """

    device: str
    way: str
    memory: str
    end: str
    detail: str = ""

    @property
    def fails(self) -> bool:
        """Whether the copy itself did not succeed."""
        return self.end in ("signal", "error")

    def plain(self) -> dict[str, Any]:
        """The attempt in JSON's own types."""
        return asdict(self)


def attempt_copy(device: str, way: str, size: int = PAGE_BYTES) -> Attempt:
    """Copy `size` bytes `to-host` or `to-device` out of the other space, or `plain`, in a child."""
    source = pkgutil.get_data("verify.replay", "host_copy.py")
    if source is None or os.name != "posix":
        return Attempt(device, way, "", "not-run", "it needs a POSIX system")
    command = [sys.executable, "-c", source.decode(), device, way, str(max(size, 1))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    environment.pop("PYTHONFAULTHANDLER", None)
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=_TIMEOUT_S, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Attempt(device, way, "", "not-run", str(error).split("\n", 1)[0])
    return _judged(device, way, done)


def _judged(device: str, way: str, done: subprocess.CompletedProcess[bytes]) -> Attempt:
    facts: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        facts |= json.loads(line)
    memory = str(facts.get("memory", ""))
    if "ready" not in facts:
        why = facts.get("error") or _last_line(done.stderr) or f"exit status {done.returncode}"
        return Attempt(device, way, memory, "not-run", why)
    if done.returncode < 0:
        return Attempt(device, way, memory, "signal", _signal_name(-done.returncode))
    if "error" in facts:
        return Attempt(device, way, memory, "error", facts["error"])
    return Attempt(device, way, memory, "copied")


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def attempts_for(device: str, real: str) -> list[Attempt]:
    """The copy of memory in the space `real` as if it lay elsewhere; on the CPU a plain one too."""
    found = [attempt_copy(device, "to-host" if real else "to-device")]
    if device == "cpu":
        found.append(attempt_copy(device, "plain"))
    return found


def is_confirmed(attempts: list[Attempt]) -> bool:
    """Whether the copy fails, and, where it is simulated, fails for no other reason."""
    first, *others = attempts
    return first.fails and all(each.end == "copied" for each in others)
