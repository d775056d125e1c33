"""Inputs that are chosen so that control is known: scalars and sizes, but no data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.replay.schedule import Trace
from verify.semantics.term import whole
from verify.semantics.values import View

MOST_CASES = 4


@dataclass(frozen=True, slots=True)
class Fixed:
    """Inputs that are chosen: scalars by position, sizes by position and dimension."""

    scalars: Mapping[int, int]
    sizes: Mapping[tuple[int, int], int]


def distinct_cases(runs: Sequence[Trace]) -> list[Fixed]:
    """The first few choices of scalars and sizes with which runs came to their ends."""
    found: dict[Any, Fixed] = {}
    for run in runs:
        case = _case(run)
        found.setdefault((tuple(case.scalars.items()), tuple(case.sizes.items())), case)
        if len(found) == MOST_CASES:
            break
    return list(found.values())


def _case(run: Trace) -> Fixed:
    scalars: dict[int, int] = {}
    sizes: dict[tuple[int, int], int] = {}
    for position, argument in enumerate(run.arguments):
        if isinstance(argument, int):
            scalars[position] = int(argument)
        elif isinstance(argument, View):
            sizes |= {(position, d): whole(size) for d, size in enumerate(argument.sizes or ())}
    return Fixed(scalars, sizes)
