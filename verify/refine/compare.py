"""Whether two functions in normal form are the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verify.refine.events import Final, Summary
from verify.semantics import term as t
from verify.semantics.term import Condition
from verify.smt.implied import Demand, follow
from verify.smt.solver import Solver


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where two normal forms part, in words."""

    what: str


def mismatch(source: Summary, target: Summary, solver: Solver) -> Mismatch | None:
    """The first difference, or `None` when the target does what the source does."""
    others = dict(source.globals)
    changed = [n for n, text in target.globals if n in others and others[n] != text]
    if changed:
        return Mismatch(f"the global `@{changed[0]}` is another one")
    if source.events != target.events:
        return Mismatch(_first_difference(source.events, target.events))
    if source.results != target.results:
        return Mismatch("they return different values")
    if not _runs_no_more(source, target, solver):
        return Mismatch("the target computes something where the source does not")
    known = set(source.demands)
    missing = [demand for demand in target.demands if demand not in known]
    if missing and not follow(source.demands, missing, solver):
        return Mismatch("the target may be undefined where the source is not")
    return None


def _runs_no_more(source: Summary, target: Summary, solver: Solver) -> bool:
    """Whether the source runs whatever may be undefined wherever the target does."""
    allowed: dict[Any, list[tuple[Condition, ...]]] = {}
    for conditions, key in source.partial:
        allowed.setdefault(key, []).append(conditions)
    open_ones: list[Demand] = []
    for conditions, key in target.partial:
        ways = allowed.get(key, [])
        if not ways:
            return False
        if not any(set(way) <= set(conditions) for way in ways):
            open_ones.append((conditions, (t.any_of(t.all_of(way) for way in ways),)))
    return not open_ones or follow(source.demands, open_ones, solver)


_SAID = {
    "Write": "a store",
    "WriteAll": "a store to all elements",
    "Allocate": "an allocation",
    "Free": "the end of a memory",
    "Opaque": "an op that may do anything",
    "Loop": "a loop",
    "While": "a loop on a condition",
    "Branch": "a branch",
    "Graph": "a region of blocks",
    "Final": "what memory holds in the end",
}


def _first_difference(a: tuple[Any, ...], b: tuple[Any, ...]) -> str:
    for number, (first, second) in enumerate(zip(a, b, strict=False), start=1):
        if first != second:
            names = _SAID[type(first).__name__], _SAID[type(second).__name__]
            if isinstance(first, Final) and isinstance(second, Final):
                return "memory ends with another content"
            if names[0] != names[1]:
                return f"effect {number} is {names[0]} in the source and {names[1]} in the target"
            return f"effect {number}, {names[0]}, differs"
    return f"the source has {len(a)} effects and the target {len(b)}"
