"""How the symbolic machine runs regions of several blocks.

Without a cycle, blocks run in order under the conditions on which they are reached. With one, a
block may run any number of times: its arguments are unknown, and what is complete when it is
entered is a greatest fixpoint over its predecessors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Block, Operation, Region, SSAValue

from verify.ir.names import op_name
from verify.model import joins
from verify.model.loops import Mark, inside
from verify.model.memory import LoopInfo
from verify.model.order import AsyncValue, Frozen, Graph, joined_path, joined_token, spread
from verify.semantics import term as t
from verify.semantics.machine import edges_of, parameters
from verify.semantics.types import UnsupportedError

if TYPE_CHECKING:
    from verify.model.symbolic import SymbolicMachine


def run_graph(m: SymbolicMachine, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
    """The values with which control leaves a region of several blocks."""
    blocks = list(region.blocks)
    order = _topological(blocks)
    if order is None:
        return _Cyclic(m, blocks).run(arguments)
    first = joins.end_of(m.order, True, arguments)  # noqa: FBT003 - a condition
    incoming: dict[Block, list[joins.End]] = {blocks[0]: [first]}
    leaving: list[joins.End] = []
    for block in order:
        edges = incoming.get(block, [])
        reached = t.any_of(e.condition for e in edges)
        if reached is False:
            continue
        with m.under(reached):
            _enter(m, block, joins.join_ends(m.algebra, m.order, edges))
            last = _run_block(m, block)
            _leave(m, last, reached, incoming, leaving)
    return joins.join_ends(m.algebra, m.order, leaving)


def _enter(m: SymbolicMachine, block: Block, values: Sequence[Any]) -> None:
    for parameter, argument in parameters(block, values):
        m.env[parameter] = argument


def _leave(
    m: SymbolicMachine,
    last: Operation,
    reached: t.Condition,
    incoming: dict[Block, list[joins.End]],
    leaving: list[joins.End],
) -> None:
    onward = edges_of(m, last, op_name(last))
    if onward is None:
        if _is_return(m, last):
            leaving.append(joins.end_of(m.order, reached, [m.value(v) for v in last.operands]))
        return
    for condition, target, values in onward:
        taken = t.all_of([reached, condition])
        if taken is not False:
            incoming.setdefault(target, []).append(joins.end_of(m.order, taken, values))


def _is_return(m: SymbolicMachine, last: Operation) -> bool:
    """Whether a terminator leaves the region with values; an unknown one is taken to trap."""
    name = op_name(last)
    if name.endswith((".return", "yield", ".terminator")):
        return True
    if not name.endswith("unreachable"):
        m.cannot_follow(last, f"the effects of `{name}` are not known")
    return False


def _run_block(m: SymbolicMachine, block: Block) -> Operation:
    last = None
    for op in block.ops:
        last = op
        m.execute(op)
    if last is None:
        raise UnsupportedError("an empty block")
    return last


def _topological(blocks: list[Block]) -> list[Block] | None:
    """Blocks with every predecessor first, or `None` when there is a cycle."""
    waiting = dict.fromkeys(blocks, 0)
    for block in blocks:
        for target in _targets(block):
            waiting[target] += 1
    ready = [b for b in blocks if waiting[b] == 0]
    order: list[Block] = []
    while ready:
        block = ready.pop()
        order.append(block)
        for target in _targets(block):
            waiting[target] -= 1
            if waiting[target] == 0:
                ready.append(target)
    return order if len(order) == len(blocks) else None


def _targets(block: Block) -> Sequence[Block]:
    return block.last_op.successors if block.last_op is not None else ()


class _Cyclic:
    """A region with a cycle: rounds over its blocks until what is complete has settled."""

    def __init__(self, m: SymbolicMachine, blocks: list[Block]) -> None:
        self.m = m
        self.blocks = blocks
        owner = blocks[0].parent_op()
        if owner is None:
            raise UnsupportedError("a region without an op")
        self.owner = owner
        self.entries: dict[Block, joins.End] = {}
        self.graph = Graph({b: tuple(_targets(b)) for b in blocks}, dict.fromkeys(blocks, 0))
        self.unknown: dict[SSAValue, Any] = {}

    def run(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """The values with which control leaves."""
        m = self.m
        start = joins.end_of(m.order, True, arguments)  # noqa: FBT003 - a condition
        self.entries = {self.blocks[0]: start}
        info = LoopInfo(self.owner, "graph", is_unordered=True)
        outside = m.order.home
        m.order.graphs.append(self.graph)
        try:
            with inside(m, info):
                self.unknown = {
                    p: m.unknown(self.owner, p.type) for b in self.blocks[1:] for p in b.args
                }
                leaving = self._rounds()
        finally:
            m.order.graphs.pop()
            m.order.home = outside
        m.step()
        return joins.join_ends(m.algebra, m.order, leaving)

    def _rounds(self) -> list[joins.End]:
        for _ in range(4 * len(self.blocks) + 8):
            mark = Mark(self.m)
            before = (dict(self.entries), dict(self.graph.events))
            leaving = self._round()
            if before == (self.entries, self.graph.events):
                return leaving
            mark.rewind(self.m)
        raise UnsupportedError("a cyclic region that does not settle")

    def _round(self) -> list[joins.End]:
        m = self.m
        leaving: list[joins.End] = []
        self.graph.ends = {}
        self._forget()
        for block in self.blocks:
            entry = self.entries.get(block)
            if entry is None:
                continue
            m.order.home = block
            self.graph.begin = len(m.order.log)
            m.order.resume(entry.path)
            for parameter, value in parameters(block, entry.values):
                is_kept = block is self.blocks[0] or isinstance(value, Frozen | AsyncValue)
                m.env[parameter] = m.order.thaw(value) if is_kept else self.unknown[parameter]
            depth = len(m.conditions)
            last = _run_block(m, block)
            self.graph.ends[block] = len(m.order.log)
            del m.conditions[depth:]
            self._pass_on(last, leaving)
        return leaving

    def _forget(self) -> None:
        """Results of an earlier round must not be seen before they are computed again."""
        for block in self.blocks:
            for op in block.ops:
                for result in op.results:
                    self.m.env.pop(result, None)

    def _pass_on(self, last: Operation, leaving: list[joins.End]) -> None:
        m = self.m
        onward = edges_of(m, last, op_name(last))
        if onward is None:
            if not _is_return(m, last):
                return
            values = [self._outward(m.value(v), v.type) for v in last.operands]
            leaving.append(joins.end_of(m.order, True, values))  # noqa: FBT003 - a condition
            return
        for _, target, values in onward:
            arrived = joins.end_of(m.order, True, values)  # noqa: FBT003 - a condition
            known = self.entries.get(target)
            self.entries[target] = arrived if known is None else _joined(known, arrived)

    def _outward(self, value: Any, kind: Any) -> Any:
        """Only tokens keep their meaning outside; other values belong to a visit."""
        frozen = self.m.order.freeze(value)
        is_token = isinstance(frozen, Frozen | AsyncValue)
        return value if is_token else self.m.unknown(self.owner, kind)


def _joined(first: joins.End, second: joins.End) -> joins.End:
    path = joined_path([first.path, second.path])
    values = [
        _joined_value(spread(a, first.path, path.issued), spread(b, second.path, path.issued))
        for a, b in zip(first.values, second.values, strict=True)
    ]
    return joins.End(True, values, path)  # noqa: FBT003 - a condition


def _joined_value(a: Any, b: Any) -> Any:
    found = joined_token(a, b)
    return None if found is None else found
