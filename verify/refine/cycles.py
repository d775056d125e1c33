"""The shape of a region of blocks: where branches meet again, and which cycles are loops.

Source of the words: dominators and natural loops as in any compiler textbook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from xdsl.ir import Block


@dataclass(frozen=True, slots=True)
class Cycle:
    """A natural loop: entered at `head` only, and left from `exiting` only, to one block."""

    head: Block
    exiting: Block
    body: frozenset[Block]


@dataclass(frozen=True, slots=True)
class Shape:
    """The blocks that can be reached in reverse postorder, and what they form.

    `meeting` gives the block at which all ways from a block come together. `has_other_cycles`
    tells that some cycle is no loop with a single exit.
    """

    order: Sequence[Block]
    cycles: Mapping[Block, Cycle]
    meeting: Mapping[Block, Block]
    has_other_cycles: bool


def targets(block: Block) -> Sequence[Block]:
    """The successors of a block."""
    return block.last_op.successors if block.last_op is not None else ()


def shape_of(entry: Block) -> Shape:
    """Look at all blocks that can be reached from `entry`."""
    order = _in_reverse_postorder(entry)
    before: dict[Block, list[Block]] = {b: [] for b in order}
    for block in order:
        for target in targets(block):
            before[target].append(block)
    over = _dominators(order, lambda b: before[b], {entry})
    under = _dominators(order[::-1], targets, {b for b in order if not targets(b)})
    place = {block: i for i, block in enumerate(order)}
    back = [(b, h) for b in order for h in targets(b) if place[h] <= place[b]]
    cycles: dict[Block, Cycle] = {}
    others = any(h not in over[b] for b, h in back)
    for head in dict.fromkeys(h for _, h in back) if not others else ():
        cycle = _cycle(head, [b for b, h in back if h is head], before, under)
        if cycle is None:
            others = True
        else:
            cycles[head] = cycle
    return Shape(order, cycles, _nearest(under), others)


def _in_reverse_postorder(entry: Block) -> list[Block]:
    """The blocks that can be reached, each after all that dominate it."""
    done: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(targets(entry)))]
    while stack:
        block, left = stack[-1]
        target = next(left, None)
        if target is None:
            done.append(block)
            stack.pop()
        elif target not in seen:
            seen.add(target)
            stack.append((target, iter(targets(target))))
    return done[::-1]


def _dominators(
    order: Sequence[Block], sources: Callable[[Block], Iterable[Block]], roots: set[Block]
) -> dict[Block, set[Block]]:
    """For each block those on every way to it from a root, itself included.

    Blocks that no root leads to keep all blocks.
    """
    every = set(order)
    found = {b: {b} if b in roots else set(every) for b in order}
    changed = True
    while changed:
        changed = False
        for block in order:
            if block in roots:
                continue
            above = [found[s] for s in sources(block)]
            now = {block} | (reduce(set.intersection, above) if above else every)
            if now != found[block]:
                found[block] = now
                changed = True
    return found


def _nearest(under: Mapping[Block, set[Block]]) -> dict[Block, Block]:
    """The immediate postdominator of each block that has one."""
    nearest: dict[Block, Block] = {}
    for block, found in under.items():
        behind = found - {block}
        first = [b for b in behind if under[b] == behind]
        if len(first) == 1:
            nearest[block] = first[0]
    return nearest


def _cycle(
    head: Block,
    latches: Sequence[Block],
    before: Mapping[Block, Sequence[Block]],
    under: Mapping[Block, set[Block]],
) -> Cycle | None:
    """The natural loop of some back edges, if it is left at one place that is always passed."""
    body = {head}
    todo = list(latches)
    while todo:
        block = todo.pop()
        if block not in body:
            body.add(block)
            todo += before[block]
    exits = [(b, target) for b in body for target in targets(b) if target not in body]
    if len(exits) != 1 or any(not targets(b) for b in body):
        return None
    exiting = exits[0][0]
    if exiting not in under[head] or len(targets(exiting)) != 2:
        return None
    return Cycle(head, exiting, frozenset(body))
