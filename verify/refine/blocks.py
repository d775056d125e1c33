"""Regions of several blocks in the normal form: as the branches and loops that they are.

A block with several successors is a branch whose cases meet again at its immediate postdominator.
A natural loop with one place at which it is left is a loop that decides there. A region with
another cycle stays a graph of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Block, Operation, Region

from verify.refine.cycles import Cycle, Shape, shape_of
from verify.refine.events import Graph
from verify.refine.flow import branch, inside
from verify.refine.history import Effect
from verify.refine.loops import Carried, Deciding, deciding
from verify.refine.terms import handed
from verify.semantics import term as t
from verify.semantics.machine import Edge, parameters
from verify.semantics.term import Condition
from verify.semantics.types import UnsupportedError, is_token
from verify.semantics.values import OPAQUE

if TYPE_CHECKING:
    from verify.refine.normal import NormalMachine

MOST_BRANCHES = 60


def run_blocks(m: NormalMachine, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
    """The values with which control leaves a region."""
    shape = shape_of(region.blocks[0])
    if shape.has_other_cycles:
        return _Graph(m, region, shape.order).run(arguments)
    return _Walk(m, shape, _result_types(region.blocks[0])).run(region.blocks[0], arguments, None)


class _Walk:
    """One run through a region whose cycles are all loops."""

    def __init__(self, m: NormalMachine, shape: Shape, results: list[Attribute]) -> None:
        self.m, self.shape, self.results = m, shape, results
        self.depth = 0
        self.within: list[Block] = []

    def run(self, block: Block, values: Sequence[Any], stop: Block | None) -> Sequence[Any]:
        """From a block to where control is about to enter `stop`, or leaves the region.

        Gives the arguments for `stop`, or the values that the region hands on.
        """
        while block is not stop:
            cycle = self.shape.cycles.get(block)
            if cycle is not None and block not in self.within:
                block, values = _Loop(self, cycle).leave(values)
                continue
            last = self.enter(block, values)
            onward = self.m.edges(last)
            if onward is None:
                return [self.m.env[v] for v in last.operands]
            if len(onward) == 1:
                _, block, values = onward[0]
                continue
            meeting = self.shape.meeting.get(block)
            values = self._cases(onward, meeting)
            if meeting is None:
                return values
            block = meeting
        return values

    def enter(self, block: Block, values: Sequence[Any]) -> Operation:
        """Run the ops of a block; its terminator."""
        _bind(self.m, block, values)
        return _run_ops(self.m, block)

    def _cases(self, edges: Sequence[Edge], meeting: Block | None) -> Sequence[Any]:
        """What the ways from a branch to where they meet give there."""
        kinds = self.results if meeting is None else [a.type for a in meeting.args]
        cases = [(c, lambda b=b, v=v: self.run(b, v, meeting)) for c, b, v in edges]
        cases[-1] = (True, cases[-1][1])
        self.depth += 1
        if self.depth > MOST_BRANCHES:
            raise UnsupportedError("control flow with too many branches")
        found = branch(self.m, cases, kinds)
        self.depth -= 1
        return found


class _Loop:
    """One loop of blocks on a walk."""

    def __init__(self, walk: _Walk, cycle: Cycle) -> None:
        self.walk, self.cycle = walk, cycle
        self.stay: tuple[Block, Sequence[Any]] | None = None
        self.out: tuple[Block, Sequence[Any]] | None = None

    def leave(self, values: Sequence[Any]) -> tuple[Block, Sequence[Any]]:
        """Run the loop; the block behind it and the arguments there."""
        is_dead = self.walk.m.liveness.is_dead
        carried = [Carried(a.type, is_dead(a)) for a in self.cycle.head.args]
        self.walk.within.append(self.cycle.head)
        try:
            deciding(self.walk.m, Deciding(carried, self._before, self._after), values)
        finally:
            self.walk.within.pop()
        if self.out is None:
            raise UnsupportedError("a loop that is never left")
        return self.out

    def _before(self, values: Sequence[Any]) -> Condition:
        walk, cycle = self.walk, self.cycle
        arrived = walk.run(cycle.head, values, cycle.exiting)
        edges = walk.m.edges(walk.enter(cycle.exiting, arrived))
        if edges is None or len(edges) != 2:
            raise UnsupportedError("a loop that is left in an unknown way")
        (condition, first, given), (_, second, others) = edges
        if first in cycle.body:
            self.stay, self.out = (first, given), (second, others)
            return condition
        self.stay, self.out = (second, others), (first, given)
        return t.negation(condition)

    def _after(self) -> Sequence[Any]:
        assert self.stay is not None
        return self.walk.run(*self.stay, self.cycle.head)


def _bind(m: NormalMachine, block: Block, values: Sequence[Any]) -> None:
    for parameter, argument in parameters(block, values):
        m.env[parameter] = argument


def _run_ops(m: NormalMachine, block: Block) -> Operation:
    for op in block.ops:
        m.execute(op)
    if block.last_op is None:
        raise UnsupportedError("an empty block")
    return block.last_op


class _Graph:
    """A region with a cycle, block by block; nothing is known of memory where a block begins."""

    def __init__(self, m: NormalMachine, region: Region, order: Sequence[Block]) -> None:
        self.m, self.region, self.order = m, region, order
        self.path = (*m.here.path, len(m.here.events))

    def run(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """Emit the graph; the values with which control leaves it."""
        blocks = [self._block(i, block, arguments) for i, block in enumerate(self.order)]
        self.m.emit(Graph(tuple(blocks)))
        self.m.here.history.append(Effect(self.path, None, None, None))
        kinds = _result_types(self.region.blocks[0])
        return [self._symbol(("left with", self.path, i), k) for i, k in enumerate(kinds)]

    def _symbol(self, key: Any, kind: Attribute) -> Any:
        return OPAQUE if is_token(kind) else self.m.symbol(key, kind)

    def _block(self, number: int, block: Block, arguments: Sequence[Any]) -> Any:
        m, path = self.m, (*self.path, number)
        given = (
            arguments
            if number == 0
            else [
                self._symbol(("block argument", path, i), a.type) for i, a in enumerate(block.args)
            ]
        )
        _bind(m, block, given)
        scope = inside(m, path, [Effect((*path, "head"), None, None, None)])
        saved = m.conditions
        m.conditions = [*saved, m.interner.truth(("reached", path))]
        try:
            edges = self._edges(_run_ops(m, block))
            return tuple(scope.events), edges
        finally:
            m.scopes.pop()
            m.conditions = saved

    def _edges(self, last: Operation) -> Any:
        place = {block: i for i, block in enumerate(self.order)}
        onward = self.m.edges(last)
        if onward is None:
            return tuple(handed(self.m.env[v]) for v in last.operands)
        return tuple((c, place[b], tuple(handed(v) for v in values)) for c, b, values in onward)


def _result_types(block: Block) -> list[Attribute]:
    region = block.parent_region()
    if region is None:
        raise UnsupportedError("a block without a region")
    for other in region.blocks:
        last = other.last_op
        if last is not None and not last.successors:
            return [v.type for v in last.operands]
    return []
