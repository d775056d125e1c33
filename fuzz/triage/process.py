"""Runs a task in a process group of its own, which may hang, die or be killed."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Self

from fuzz.triage.task import PARTIAL, WHOLE, Evidence, Reduction, Task, code_lines

ROOT = str(Path(__file__).resolve().parents[2])
COMMAND = (
    sys.executable,
    "-c",
    "import sys; sys.path[0] = sys.argv[1]; from fuzz.triage.child import main; main()",
    ROOT,
)
GRACE_S = 30.0
"""Beyond the time of a search: to start, and to look at what is left."""
_MOST_WORDS = 200


@dataclass(slots=True)
class _Said:
    smaller: str = ""
    done: dict[str, Any] | None = None
    why: str = ""


class Performer:
    """Does tasks, one at a time, in a process that is replaced when it dies or hangs."""

    def __init__(self, *, grace_s: float = GRACE_S, command: Sequence[str] = COMMAND) -> None:
        """`grace_s` is what a search may take beyond its time; `command` starts the process."""
        self.grace_s = grace_s
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as this

    def __enter__(self) -> Self:
        """The process starts with the first task."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process and all that it started."""
        self._end()
        self._errors.close()

    def perform(self, task: Task) -> Reduction:
        """Do a task; where the process gives no end, the smallest program that it told is kept."""
        begin = time.monotonic()
        said = self._ask(task)
        if said.done is not None:
            return Reduction.from_plain(said.done)
        if task.kind == "reduce" and said.smaller:
            seen = self.perform(replace(task, kind="look", text=said.smaller))
        else:
            code = Evidence(code=task.code)
            seen = Reduction(task.group, WHOLE, task.text, is_shown=False, evidence=code)
        return replace(
            seen,
            state=PARTIAL if said.smaller else WHOLE,
            why=said.why,
            lines_before=code_lines(task.text),
            seconds=round(time.monotonic() - begin, 2),
        )

    def _ask(self, task: Task) -> _Said:
        said = _Said()
        limit = task.seconds + self.grace_s if task.kind == "reduce" else GRACE_S
        process = self._started()
        try:
            assert process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(json.dumps(task.to_plain()).encode() + b"\n")
                process.stdin.flush()
            _listen(process, said, time.monotonic() + limit)
            if said.done is None:
                said.why = said.why or self._ended(process)
        finally:
            if said.done is None:
                self._end()
        return said

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                start_new_session=True,
            )  # fmt: skip
        return self._process

    def _ended(self, process: subprocess.Popen[bytes]) -> str:
        """How a process ended that gave no result."""
        try:
            code = process.wait(5.0)
        except subprocess.TimeoutExpired:
            return "its process did not end"
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return f"its process died with {how}" + (f": {lines[-1][:_MOST_WORDS]}" if lines else "")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(BrokenPipeError):
                if stream is not None:
                    stream.close()


def _listen(process: subprocess.Popen[bytes], said: _Said, deadline: float) -> None:
    """Take lines until the process ends, tells its result, or time is up."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        rest = b""
        while said.done is None:
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                said.why = "its process did not end in time"
                return
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            if not chunk:
                return
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                _take(line, said)


def _take(line: bytes, said: _Said) -> None:
    found = json.loads(line)
    if found["kind"] == "smaller":
        said.smaller = found["text"]
    else:
        said.done = found["reduction"]
