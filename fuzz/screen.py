"""What a campaign shows while it runs: one screen in a terminal, plain lines elsewhere.

Findings go to standard output, one line each, as soon as they are committed; the rest goes to
standard error.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TextIO

from fuzz.campaign import Progress
from fuzz.tables import FoundRow
from verify.report.style import clean

_LINE_EVERY_S = 10.0
_BARS = " ▁▂▃▄▅▆▇█"


def finding_line(row: FoundRow) -> str:
    """One finding on one line."""
    found = row.finding
    target = found.target or "verify-ir"
    words = clean(found.message).replace("\n", " ")
    return f"finding {row.id} [{found.group}] {found.code} {found.oracle} {target}: {words}"


class Lines:
    """Plain lines."""

    def __init__(self, out: TextIO | None = None, *, is_quiet: bool = False) -> None:
        """`out` takes the findings."""
        self.out = out or sys.stdout
        self.is_quiet = is_quiet
        self._last = 0.0
        self._troubles: dict[str, float] = {}

    def finding(self, row: FoundRow, *, is_new: bool) -> None:
        """Tell the findings of new groups, and of all in a word."""
        if is_new or not self.is_quiet:
            self.out.write(finding_line(row) + ("" if is_new else " (known)") + "\n")
            self.out.flush()

    def trouble(self, text: str) -> None:
        """Tell it, but the same not again and again."""
        now = time.monotonic()
        key = text.rpartition(":")[2]
        if now - self._troubles.get(key, -60.0) > _LINE_EVERY_S:
            self._troubles[key] = now
            sys.stderr.write(f"warning: {clean(text)}\n")

    def progress(self, now: Progress) -> None:
        """A line every ten seconds."""
        at = time.monotonic()
        if at - self._last < _LINE_EVERY_S:
            return
        self._last = at
        sys.stderr.write(progress_line(now) + "\n")
        sys.stderr.flush()


def progress_line(now: Progress) -> str:
    """The numbers on one line."""
    waits = f", {now.waiting} results wait for the disk" if now.waiting else ""
    return (
        f"{now.seconds:.0f} s: {now.judged} programs judged ({now.rate:.1f}/s), "
        f"{now.put_off} put off, {now.pairs} pairs of features, {now.findings} findings in "
        f"{now.groups} groups, {len(now.workers)} workers{waits}"
    )


class Screen:
    """One screen that is drawn again and again."""

    def __init__(self, live: Any) -> None:
        """`live` is rich's."""
        self._live = live
        self._found: deque[str] = deque(maxlen=12)
        self._troubles: deque[str] = deque(maxlen=3)
        self._rates: deque[float] = deque(maxlen=50)
        self._now: Progress | None = None

    def finding(self, row: FoundRow, *, is_new: bool) -> None:
        """The findings of new groups, newest last."""
        if is_new:
            self._found.append(finding_line(row))
            self._draw()

    def trouble(self, text: str) -> None:
        """The last few."""
        self._troubles.append(clean(text))
        self._draw()

    def progress(self, now: Progress) -> None:
        """Draw again."""
        self._now = now
        self._rates.append(now.rate)
        self._draw()

    def _draw(self) -> None:
        from rich.console import Group
        from rich.panel import Panel
        from rich.table import Table
        from rich.text import Text

        if self._now is None:
            return
        now = self._now
        numbers = Table.grid(padding=(0, 2))
        rows = (
            ("time", f"{now.seconds:.0f} s"),
            ("rate", f"{now.rate:.1f}/s {_bars(self._rates)}"),
            ("programs", f"{now.judged} judged, {now.put_off} put off"),
            ("coverage", f"{now.pairs} pairs of features"),
            ("findings", f"{now.findings} in {now.groups} groups"),
            *((f"worker {i}", text) for i, text in enumerate(now.workers, 1)),
        )
        for name, text in rows:
            numbers.add_row(Text(name, style="bold cyan"), Text(text))
        found = Text("\n".join(self._found) or "none yet", overflow="ellipsis", no_wrap=True)
        parts: list[Any] = [Panel(numbers, title="campaign"), Panel(found, title="new groups")]
        if self._troubles:
            parts.append(Panel(Text("\n".join(self._troubles), style="yellow"), title="trouble"))
        self._live.update(Group(*parts), refresh=True)


def _bars(rates: deque[float]) -> str:
    top = max([*rates, 0.001])
    return "".join(_BARS[min(8, int(8 * rate / top))] for rate in rates)


@contextmanager
def shown(*, is_quiet: bool) -> Generator[Lines | Screen]:
    """The screen where standard output and error are terminals, else lines."""
    if is_quiet or not (sys.stderr.isatty() and sys.stdout.isatty()):
        yield Lines(is_quiet=is_quiet)
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), auto_refresh=False) as live:
        yield Screen(live)
