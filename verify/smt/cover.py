"""Writes that settle what a later read finds: which lie between two accesses, and cover a byte."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import z3

from verify.model.dense import Spread
from verify.model.memory import Access, LoopInfo, extent_of, shared_conditions
from verify.smt.encode import Encoder, Expr


@dataclass(frozen=True, slots=True)
class Order:
    """One way in which `first` comes before `second`.

    Loops before `depth` are in the same iteration; loop `depth`, if there is one in common, is
    in an earlier iteration for `first`. Tags `a` and `b` tell the two apart from there on.
    """

    depth: int
    is_strict: bool
    tags_first: dict[int, str]
    tags_second: dict[int, str]


def covers(
    encoder: Encoder,
    spread: Spread,
    tags: Mapping[int, str],
    target: Access,
    target_tags: Mapping[int, str],
) -> Expr:
    """All bytes of `target` are inside one run of the spread, as its largest strides find it."""
    rest = encoder.number(target.address, target_tags) - encoder.number(spread.start, tags)
    inside: list[Expr] = []
    for size, stride in spread.dims:
        inside += [rest >= 0, rest / stride < encoder.number(size, tags)]
        rest = rest % stride
    inside += [rest >= 0, rest + target.size <= encoder.number(spread.run, tags)]
    return z3.And(inside)


def runs(encoder: Encoder, write: Access, tags: Mapping[int, str]) -> list[Expr]:
    """The conditions on which a write happens, for some element if it is one of every element."""
    return [encoder.condition(c, tags) for c in shared_conditions(write)]


def forbid_cover(
    encoder: Encoder,
    write: Access,
    tags: Mapping[int, str],
    target: Access,
    target_tags: Mapping[int, str],
    when: Sequence[Expr] = (),
) -> None:
    """Where `when` holds, `write` does not run in these iterations, or leaves bytes of `target`."""
    _, spread = extent_of(write)
    if spread is None:
        return
    covered = covers(encoder, spread, tags, target, target_tags)
    parts = [*when, *runs(encoder, write, tags), covered]
    encoder.constraints.append(z3.Not(z3.And(parts)))


def is_one_memory(write: Access, shared: Sequence[LoopInfo]) -> bool:
    """Whether the memory of `write` is one allocation wherever the loops in `shared` are fixed."""
    memory = write.view.memory
    known = {info.id for info in shared}
    return memory.kind != "unknown" and all(loop in known for loop in memory.scope)


def require_not_killed(
    encoder: Encoder, write: Access, first: Access, second: Access, order: Order, *, thorough: bool
) -> None:
    """No instance of `write` between the two covers what `second` touches.

    Instances in the iterations of the two are looked at, and if `thorough` in those next to them.
    """
    if write is first or not write.is_modelled or write.view.memory is not second.view.memory:
        return
    if not is_one_memory(write, first.loops[: order.depth]):
        return
    for access, tags in ((second, order.tags_second), (first, order.tags_first)):
        if _lies_between(write, first, second, order, access):
            forbid_cover(encoder, write, tags, second, order.tags_second)
    if thorough:
        for tags, when in _between(encoder, write, first, second, order):
            forbid_cover(encoder, write, tags, second, order.tags_second, when)


def _lies_between(
    write: Access, first: Access, second: Access, order: Order, beside: Access
) -> bool:
    """Whether the instance of `write` in the iterations of `beside` comes between the two."""
    loops, _ = extent_of(write)
    n = len(loops)
    if loops != beside.loops[:n] or any(i.is_unordered for i in loops):
        return False
    position = write.path[n]
    if beside is second:
        if position >= second.path[n]:
            return False
        return order.depth < n or (len(first.path) > n and first.path[n] < position)
    if position <= first.path[n]:
        return False
    return order.depth < n or (len(second.path) > n and position < second.path[n])


NEXT, BEFORE = "next", "before"
"""Tags of the iteration after that of the first of two accesses, and before that of the second."""


def neighbour_tags(order: Order, loop: LoopInfo, tag: str) -> dict[int, str]:
    """Tags of an iteration of `loop` next to one of the two of a question."""
    inner = order.tags_first if tag == NEXT else order.tags_second
    return {loop.id: tag} if loop.id in inner else {}


def require_neighbours(encoder: Encoder, loops: Sequence[LoopInfo], order: Order) -> list[str]:
    """Say which iterations are next to those of the two accesses; the tags that can be used.

    They exist: the one after the first is at most the second's, and the other way round.
    """
    if not order.is_strict:
        return []
    loop = loops[order.depth]
    if loop.counter is None or loop.is_unordered:
        return []
    for tag, tags, step in ((NEXT, order.tags_first, 1), (BEFORE, order.tags_second, -1)):
        there = encoder.number(loop.counter, neighbour_tags(order, loop, tag))
        encoder.constraints.append(there == encoder.number(loop.counter, tags) + step)
    return [NEXT, BEFORE]


def _between(
    encoder: Encoder, write: Access, first: Access, second: Access, order: Order
) -> Iterator[tuple[dict[int, str], list[Expr]]]:
    """Instances of `write` in the iterations next to those of the two, and when they count."""
    loops, _ = extent_of(write)
    depth = order.depth
    if not order.is_strict or len(loops) != depth + 1 or loops != first.loops[: depth + 1]:
        return
    loop = loops[depth]
    if loop.counter is None or any(i.is_unordered for i in loops):
        return
    position = write.path[depth + 1]
    there, a, b = (
        encoder.number(loop.counter, tags)
        for tags in (neighbour_tags(order, loop, NEXT), order.tags_first, order.tags_second)
    )
    before_second = position < second.path[depth + 1]
    yield neighbour_tags(order, loop, NEXT), [] if before_second else [there < b]
    there = encoder.number(loop.counter, neighbour_tags(order, loop, BEFORE))
    after_first = position > first.path[depth + 1]
    yield neighbour_tags(order, loop, BEFORE), [] if after_first else [there > a]
