"""Chosen instances of the places of a program, to rule out inputs on which a run is undefined.

A place is defined in every iteration; each instance that a query demands is one of them, so no
defined run is lost. Next to the iterations of a question these are the last one of each counted
loop around it, and the first ones of loops further in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import z3

from verify.model.memory import LoopInfo
from verify.semantics import term as t
from verify.semantics.term import Condition
from verify.smt.encode import Encoder

MOST_PLACES = 200


class Runs(Protocol):
    """A place in the program: where `conditions` hold, `assumed` holds or the run is undefined."""

    @property
    def conditions(self) -> tuple[Condition, ...]: ...
    @property
    def assumed(self) -> tuple[Condition, ...]: ...
    @property
    def loops(self) -> tuple[LoopInfo, ...]: ...


def near(places: Sequence[Runs], loops: Sequence[LoopInfo]) -> list[Runs]:
    """The places that run when these loops do."""
    outermost = loops[0] if loops else None
    return [
        p
        for p in places
        if (not p.loops or p.loops[0] is outermost or not loops) and not _may_never_run(p)
    ][:MOST_PLACES]


def _may_never_run(place: Runs) -> bool:
    """Blocks of a cyclic region are reached on conditions that are not known."""
    return any(info.kind == "graph" for info in place.loops)


def require_defined(
    encoder: Encoder, places: Sequence[Runs], loops: Sequence[LoopInfo], tags: dict[int, str]
) -> None:
    """Demand that `places` are defined in these iterations, and in the last ones."""
    for place in places:
        _require_instance(encoder, place, _shared_depth(place.loops, loops), tags)
    for depth, last in _last_iterations(encoder, loops, tags):
        for place in places:
            if _shared_depth(place.loops, loops) > depth:
                _require_instance(encoder, place, depth + 1, last)


def _shared_depth(first: Sequence[LoopInfo], second: Sequence[LoopInfo]) -> int:
    depth = 0
    while depth < min(len(first), len(second)) and first[depth] is second[depth]:
        depth += 1
    return depth


def _last_iterations(
    encoder: Encoder, loops: Sequence[LoopInfo], tags: dict[int, str]
) -> Iterator[tuple[int, dict[int, str]]]:
    """For each counted loop its depth, and tags pinned to its last iteration."""
    for depth, info in enumerate(loops):
        if len(info.limits) != 1 or not isinstance(info.counter, t.Lin):
            continue
        last = {i.id: tags[i.id] for i in loops[:depth] if i.id in tags}
        last[info.id] = "last"
        if _pin_last(encoder, info.counter, info.limits[0], last):
            yield depth, last


def _pin_last(encoder: Encoder, number: t.Lin, limit: Condition, tags: dict[int, str]) -> bool:
    """Demand that an iteration is the last one; whether that can be said."""
    (counter,) = number.coefficients
    if limit is True and counter.high is not None:
        encoder.require(t.equal(number, counter.high), tags)
        return True
    if not isinstance(limit, t.AtMostZero) or counter not in limit.term.coefficients:
        return False
    after = limit.term + limit.term.coefficients[counter]
    encoder.require(limit, tags)
    encoder.require(t.negation(t.at_most(after, 0)), tags)
    return True


def _require_instance(encoder: Encoder, place: Runs, depth: int, tags: dict[int, str]) -> None:
    inner = dict(tags)
    for info in place.loops[depth:]:
        inner[info.id] = "first"
        for counter in info.counters:
            encoder.require(t.equal(counter, 0), inner)
    runs = [encoder.condition(c, inner) for c in place.conditions if c is not True]
    holds = [encoder.condition(c, inner) for c in place.assumed if c is not True]
    if holds:
        needed = z3.And(holds)
        encoder.constraints.append(z3.Implies(z3.And(runs), needed) if runs else needed)
