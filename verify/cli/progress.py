"""How far a reduction is: lines on standard error, and the smallest file so far on disk."""

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from verify.report.phrases import count

if TYPE_CHECKING:
    from verify.reduce.search import Reduced, Step

_PATIENCE_S = 1.0


class Progress:
    """Lines on standard error, and the smallest file so far on disk, both once a second."""

    def __init__(self, output: str | None, *, is_quiet: bool) -> None:
        """Save to `output`, where there is one."""
        self._output = output
        self._is_quiet = is_quiet
        self._last = time.perf_counter()

    def say(self, text: str) -> None:
        """One line, unless there should be none."""
        if not self._is_quiet:
            sys.stderr.write(f"reduce: {text}\n")
            sys.stderr.flush()

    def show(self, step: "Step") -> None:
        """What is left after a step of the search, when a second is over."""
        now = time.perf_counter()
        if now - self._last < _PATIENCE_S:
            return
        self._last = now
        tried = count(step.tests, "module")
        self.say(f"{count(step.ops, 'op')} left, {tried} judged ({step.seconds:.0f} s)")
        if self._output:
            _save(self._output, step.text)

    def end(self, reduced: "Reduced") -> None:
        """What the whole search came to."""
        why = {"time": "; the time is over", "interrupted": "; interrupted"}.get(reduced.end, "")
        self.say(
            f"{reduced.ops_before} -> {count(reduced.ops, 'op')}, "
            f"{count(reduced.tests, 'module')} judged ({reduced.seconds:.1f} s){why}"
        )


def _save(output: str, generic: str) -> None:
    """Put what there is in place of the output, all at once."""
    from verify.reduce.written import readable

    text = "// On the way to something smaller: the search goes on.\n" + readable(generic)[0]
    part = Path(f"{output}.part")
    with suppress(OSError):
        part.write_text(text, encoding="utf-8")
        part.replace(output)
