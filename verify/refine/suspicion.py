"""Inputs on which two normal forms may come apart, as Z3 sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias

from verify.refine.events import Branch, Loop, Place, Summary, While, Write
from verify.replay.inputs import Inputs
from verify.semantics import term as t
from verify.semantics.term import Condition
from verify.smt.implied import example
from verify.smt.solver import Solution, Solver

MOST = 8
TIMEOUT_S = 0.5

Case: TypeAlias = tuple[Condition, ...]
"""Conditions under which something differs."""


def suspicious(source: Summary, target: Summary) -> Iterator[Inputs]:
    """Inputs for runs, those first that the first differences ask for."""
    solver = Solver(TIMEOUT_S)
    for case in islice(_cases(source, target), MOST):
        solution = example(source.demands, case, solver)
        if solution is not None:
            yield from _inputs(solution)


def _inputs(solution: Solution) -> Iterator[Inputs]:
    scalars: dict[int, int] = {}
    sizes: dict[tuple[int, int], int] = {}
    for var, values in solution.numbers.items():
        match var.origin:
            case (("argument", int() as position), str()):
                scalars[position] = values[0]
            case (("argument", int() as position), "size", int() as d):
                sizes[position, d] = values[0]
            case _:
                continue
    for truth, value in solution.truths.items():
        match truth.origin:
            case (("argument", int() as position), str()):
                scalars[position] = int(value)
            case _:
                continue
    yield Inputs(scalars=scalars, sizes=sizes)
    yield Inputs(seed=1, scalars=scalars)


def _cases(source: Summary, target: Summary) -> Iterator[Case]:
    yield from _in_events(source.events, target.events, ())
    for a, b in zip(source.results, target.results, strict=False):
        yield from _differing(a, b, ())
    known = set(source.demands)
    for conditions, wanted in target.demands:
        if (conditions, wanted) not in known:
            yield (*conditions, t.negation(t.all_of(wanted)))
    for conditions, key in target.partial - source.partial:
        ways = [t.all_of(way) for way, other in source.partial if other == key]
        undefined = (*conditions, t.negation(t.any_of(ways)))
        match key:
            case (str(), _, (*_, int() | t.Lin() as divisor)):
                yield (*undefined, t.equal(divisor, 0))
            case _:
                yield undefined


def _in_events(a: Sequence[Any], b: Sequence[Any], conditions: Case) -> Iterator[Case]:
    for first, second in zip(a, b, strict=False):
        if first != second:
            yield from _in_event(first, second, conditions)


def _in_event(a: Any, b: Any, conditions: Case) -> Iterator[Case]:
    match a, b:
        case Branch(), Branch():
            yield from _differing(a.condition, b.condition, conditions)
            yield from _in_events(a.then, b.then, (*conditions, a.condition))
            yield from _in_events(a.otherwise, b.otherwise, (*conditions, t.negation(a.condition)))
        case Loop(), Loop():
            for x, y in zip((*a.count, *a.initial), (*b.count, *b.initial), strict=False):
                yield from _differing(x, y, conditions)
            yield from _in_events(a.body, b.body, conditions)
            for x, y in zip(a.handed_on, b.handed_on, strict=False):
                yield from _differing(x, y, conditions)
        case While(), While():
            for x, y in zip(a.initial, b.initial, strict=False):
                yield from _differing(x, y, conditions)
            yield from _in_events(a.before, b.before, conditions)
            yield from _differing(a.condition, b.condition, conditions)
            yield from _in_events(a.after, b.after, conditions)
        case Write(place=Place() as place), Write(place=Place() as other):
            yield from _differing(place.address, other.address, conditions)
            yield from _differing(a.value, b.value, conditions)
        case _:
            yield conditions


def _differing(a: Any, b: Any, conditions: Case) -> Iterator[Case]:
    """Where two numbers or two truth values are not the same; nothing of other values."""
    if a == b:
        return
    if isinstance(a, int | t.Lin) and isinstance(b, int | t.Lin):
        yield (*conditions, t.negation(t.equal(a, b)))
    elif isinstance(a, bool | t.Cond) and isinstance(b, bool | t.Cond):
        yield (*conditions, a, t.negation(b))
        yield (*conditions, t.negation(a), b)
