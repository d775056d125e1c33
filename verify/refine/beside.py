"""Two forms of one function beside each other, with what differs marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from verify.diagnostic import BesideRow

MOST_ROWS = 400
_VALUE = re.compile(r"%[\w$.-]+(?::\d+|#\d+)?")


def rows_of(source: str, target: str, name: str) -> tuple[BesideRow, ...]:
    """The lines of function `name` in two texts, paired; none where either has no such function."""
    left, right = _function_in(source, name), _function_in(target, name)
    if not left or not right:
        return ()
    return tuple(_paired(left, right))[:MOST_ROWS]


def _function_in(text: str, name: str) -> list[str]:
    """The lines of a function without comments and empty lines."""
    lines = text.split("\n")
    head = re.compile(rf'\bfunc\b.*(?:@{re.escape(name)}\b|sym_name = "{re.escape(name)}")')
    begin = next((i for i, line in enumerate(lines) if head.search(line)), None)
    if begin is None:
        return []
    indent = lines[begin][: len(lines[begin]) - len(lines[begin].lstrip())]
    ends = (i for i in range(begin + 1, len(lines)) if lines[i].startswith(f"{indent}}}"))
    end = next(ends, len(lines) - 1)
    kept = (line.removeprefix(indent).rstrip() for line in lines[begin : end + 1])
    return [line for line in kept if line and not line.lstrip().startswith("//")]


def _paired(left: list[str], right: list[str]) -> Iterator[BesideRow]:
    keys = [[_VALUE.sub("%", line).strip() for line in side] for side in (left, right)]
    names = _Names()
    for kind, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        both = min(b - a, d - c)
        for one, other in zip(left[a : a + both], right[c : c + both], strict=True):
            is_alike = names.are_alike(one, other) and kind == "equal"
            yield BesideRow(" " if is_alike else "~", one, other)
        for line in left[a + both : b]:
            yield BesideRow("-", line, "")
        for line in right[c + both : d]:
            yield BesideRow("+", "", line)


class _Names:
    """Which value of the target has the name of which of the source, as far as lines have told."""

    def __init__(self) -> None:
        self.forth: dict[str, str] = {}
        self.back: dict[str, str] = {}

    def are_alike(self, left: str, right: str) -> bool:
        """Whether two lines name the same values; names that are new are paired."""
        pairs = list(zip(_VALUE.findall(left), _VALUE.findall(right), strict=False))
        fits = [
            self.forth.setdefault(a, b) == b and self.back.setdefault(b, a) == a for a, b in pairs
        ]
        return all(fits)
