"""Chosen instances of the places of a program, to rule out inputs on which a run is undefined.

A place is defined in every iteration; each instance that a query demands is one of them, so no
defined run is lost. Next to the iterations of a question these are the last one of each counted
loop around it, and the first ones of loops further in. A `thorough` query also takes the first
iterations of the loops around it, those next to the two that it asks about, the last ones of
inner loops, and the loops of the rest of the function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from verify.model.memory import LoopInfo
from verify.semantics import term as t
from verify.semantics.term import Condition, Lin
from verify.smt.encode import Encoder, Expr, all_hold, implies

MOST_PLACES = 200


class Runs(Protocol):
    """A place in the program: where `conditions` hold, `assumed` holds or the run is undefined."""

    @property
    def conditions(self) -> tuple[Condition, ...]: ...
    @property
    def assumed(self) -> tuple[Condition, ...]: ...
    @property
    def loops(self) -> tuple[LoopInfo, ...]: ...


@dataclass(frozen=True, slots=True)
class Iteration:
    """An iteration of the loop at `depth` of a question; `tags` name it and those around it."""

    depth: int
    tags: Mapping[int, str]


def near(places: Sequence[Runs], loops: Sequence[LoopInfo], *, thorough: bool) -> list[Runs]:
    """The places that run when these loops do; when `thorough`, all that run at all.

    The latter is for questions about replays, which begin when the function has come to its end.
    """
    outermost = loops[0] if loops else None
    everywhere = thorough or not loops
    return [
        p
        for p in places
        if (everywhere or not p.loops or p.loops[0] is outermost) and not _may_never_run(p)
    ][:MOST_PLACES]


def _may_never_run(place: Runs) -> bool:
    """Blocks of a cyclic region are reached on conditions that are not known."""
    return any(info.kind == "graph" for info in place.loops)


def require_defined(
    encoder: Encoder,
    places: Sequence[Runs],
    loops: Sequence[LoopInfo],
    tags: Mapping[int, str],
    *,
    neighbours: Sequence[Iteration] = (),
    thorough: bool = False,
) -> None:
    """Demand that `places` are defined in these iterations, and in others that surely run."""
    for place in places:
        _require_inside(encoder, place, _shared_depth(place.loops, loops), tags, thorough=thorough)
    iterations = [*_last_iterations(encoder, loops, tags), *neighbours]
    if thorough:
        iterations += _early_iterations(encoder, loops, tags)
    for iteration in iterations:
        for place in places:
            if _shared_depth(place.loops, loops) > iteration.depth:
                depth = iteration.depth + 1
                _require_inside(encoder, place, depth, iteration.tags, thorough=thorough)


def _shared_depth(first: Sequence[LoopInfo], second: Sequence[LoopInfo]) -> int:
    depth = 0
    while depth < min(len(first), len(second)) and first[depth] is second[depth]:
        depth += 1
    return depth


def _last_iterations(
    encoder: Encoder, loops: Sequence[LoopInfo], tags: Mapping[int, str]
) -> Iterator[Iteration]:
    """The last iteration of each counted loop, in the iterations of the loops around it."""
    for depth, info in enumerate(loops):
        last = {**_of_outer(loops[:depth], tags), info.id: "last"}
        pins = _pins_of_last(encoder, info, last)
        if pins:
            encoder.constraints += pins
            yield Iteration(depth, last)


def _early_iterations(
    encoder: Encoder, loops: Sequence[LoopInfo], tags: Mapping[int, str]
) -> Iterator[Iteration]:
    """The first two iterations of each loop, and the one before that of the question."""
    for depth, info in enumerate(loops):
        outer = _of_outer(loops[:depth], tags)
        first = {**outer, info.id: "first"}
        for start in info.starts:
            encoder.require(start, first)
        if info.starts:
            yield Iteration(depth, first)
        if not isinstance(info.counter, Lin):
            continue
        ((counter, _),) = info.counter.coefficients.items()
        if counter.high is not None and counter.high < 1:
            continue
        second = {**outer, info.id: "second"}
        encoder.require(t.equal(info.counter, 1), second)
        yield Iteration(depth, second)
        here = encoder.number(info.counter, {**outer, info.id: tags.get(info.id, "")})
        before = {**outer, info.id: f"before {tags.get(info.id, '')}"}
        there = encoder.number(info.counter, before)
        encoder.constraints.append(implies(here >= 1, there == here - 1))
        yield Iteration(depth, before)


def _of_outer(loops: Sequence[LoopInfo], tags: Mapping[int, str]) -> dict[int, str]:
    return {info.id: tags[info.id] for info in loops if info.id in tags}


def _pins_of_last(encoder: Encoder, info: LoopInfo, tags: Mapping[int, str]) -> list[Expr]:
    """What makes an iteration the last one in every dimension that is counted."""
    pins: list[Expr] = []
    for counter, limit in info.counted:
        pins += _pin_last(encoder, counter, limit, tags)
    return pins


def _pin_last(
    encoder: Encoder, number: Lin, limit: Condition, tags: Mapping[int, str]
) -> list[Expr]:
    """What makes a counter its last value; nothing where that cannot be said."""
    (counter,) = number.coefficients
    if limit is True and counter.high is not None:
        return [encoder.condition(t.equal(number, counter.high), tags)]
    if not isinstance(limit, t.AtMostZero) or counter not in limit.term.coefficients:
        return []
    after = t.at_most(limit.term + limit.term.coefficients[counter], 0)
    return [encoder.condition(c, tags) for c in (limit, t.negation(after))]


def _require_inside(
    encoder: Encoder, place: Runs, depth: int, tags: Mapping[int, str], *, thorough: bool
) -> None:
    """The place is defined in the first iterations of the loops from `depth` on, or the last."""
    inner = place.loops[depth:]
    first = {**tags, **{info.id: "first" for info in inner}}
    for info in inner:
        for start in info.starts:
            encoder.require(start, first)
    _require_instance(encoder, place, first)
    if not thorough or not any(info.counted for info in inner):
        return
    last = dict(tags)
    for info in inner:
        opening = {**last, info.id: "first"}
        last[info.id] = "last"
        runs = [encoder.condition(limit, opening) for _, limit in info.counted]
        for start in info.starts:
            encoder.require(start, opening)
        pins = _pins_of_last(encoder, info, last)
        if pins:
            encoder.constraints.append(implies(all_hold(runs), all_hold(pins)))
    _require_instance(encoder, place, last)


def _require_instance(encoder: Encoder, place: Runs, tags: Mapping[int, str]) -> None:
    holds = [encoder.condition(c, tags) for c in place.assumed if c is not True]
    if holds:
        runs = [encoder.condition(c, tags) for c in place.conditions if c is not True]
        needed = all_hold(holds)
        encoder.constraints.append(implies(all_hold(runs), needed) if runs else needed)
