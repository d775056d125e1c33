"""C text under construction: declarations of a function, and statements in blocks."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

Lines: TypeAlias = "list[str | Lines]"
_NOT_IN_NAMES = re.compile(r"\W")


class Writer:
    """Statements go where `block` says. Variables are declared on top, for a jump passes no
    initialisation; a variable is in scope wherever its SSA value is.
    """

    def __init__(self) -> None:
        self.declarations: list[str] = []
        self.lines: Lines = []
        self.count = 0

    def fresh(self, hint: str | None) -> str:
        """A name that nothing else has."""
        self.count += 1
        return f"{_NOT_IN_NAMES.sub('_', hint or 'v')}_{self.count}"

    def declare(self, hint: str | None, kind: str) -> str:
        """A new variable of C type `kind`; its name."""
        name = self.fresh(hint)
        space = "" if kind.endswith("*") else " "
        self.declarations.append(f"{kind}{space}{name};")
        return name

    def put(self, text: str) -> None:
        """A statement."""
        self.lines.append(text)

    def assign(self, pairs: Sequence[tuple[str, str, str]]) -> None:
        """Give variables values at once: a C type, a name and a value each."""
        wanted = [pair for pair in pairs if pair[1] != pair[2]]
        names = {name for _, name, _ in wanted}
        if any(names & set(re.findall(r"\w+", value)) for _, _, value in wanted):
            kept: list[tuple[str, str, str]] = []
            for kind, name, value in wanted:
                holder = self.declare("next", kind)
                self.put(f"{holder} = {value};")
                kept.append((kind, name, holder))
            wanted = kept
        for _, name, value in wanted:
            self.put(f"{name} = {value};")

    @contextmanager
    def block(self) -> Generator[Lines]:
        """Statements in here are collected, for a block that is put somewhere later."""
        outer, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = outer

    def nested(self, head: str, lines: Lines, tail: str = "}") -> None:
        """A statement with a block."""
        self.lines.extend([f"{head} {{", lines, tail])

    def body(self) -> str:
        """The text of the function's body."""
        return "\n".join(_indented([*self.declarations, *self.lines], 1))


def _indented(lines: Lines, depth: int) -> Generator[str]:
    for line in lines:
        if isinstance(line, str):
            yield f"{'  ' * depth}{line}"
        else:
            yield from _indented(line, depth + 1)
