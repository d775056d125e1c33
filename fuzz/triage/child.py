"""The process that works on groups: a task a line on standard input, JSON lines on standard output.

Each smaller program is told as soon as it is found, so that a process that dies or hangs leaves
what it came to.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

_EVERY_S = 0.5


def main() -> None:
    """Do tasks until there are no more; only lines of JSON go to what was standard output."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as stream:
        os.dup2(2, 1)

        def tell(kind: str, content: dict[str, Any]) -> None:
            stream.write(json.dumps({"kind": kind, **content}) + "\n")
            stream.flush()

        for line in sys.stdin:
            serve(json.loads(line), tell)


def serve(plain: dict[str, Any], tell: Callable[[str, dict[str, Any]], None]) -> None:
    """Reduce the program of a task, if that is asked, and look at what is left."""
    from dataclasses import replace

    from fuzz.triage.outcome import outcome_of
    from fuzz.triage.reducing import Smaller, smaller
    from fuzz.triage.task import WHOLE, Task

    task = Task.from_plain(plain)
    begin = last = time.monotonic()

    def way(text: str) -> None:
        nonlocal last
        if time.monotonic() - last > _EVERY_S:
            last = time.monotonic()
            tell("smaller", {"text": text})

    found = smaller(task, way) if task.kind == "reduce" else Smaller(task.text, WHOLE)
    tell("smaller", {"text": found.text})
    reduction = outcome_of(task, found)
    seconds = round(time.monotonic() - begin, 2)
    tell("done", {"reduction": replace(reduction, seconds=seconds).to_plain()})


if __name__ == "__main__":
    main()
