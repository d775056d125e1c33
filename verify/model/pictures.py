"""The picture of a race: the ops around it, what they wait for, and the order that is missing.

Tokens are followed along their uses, through block arguments, yields and awaited values. A source
that a value has on some paths only makes its edge partial. An op blocks its task or is
asynchronous; the first kind stands in its task's lane, the second in a lane of its chain of tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from verify.diagnostic import Picture, PictureEdge, PictureNode
from verify.ir.names import int_array, op_name, operand_segments, symbol_name, symbol_ref
from verify.ir.spans import op_location
from verify.semantics.types import is_memref, is_token
from verify.semantics.views_by_name import VIEW_OPS, is_loop

MOST_NODES = 24
_ENOUGH = 10
_TASK = "async.execute"
_AWAITS = frozenset({"async.await", "async.await_all"})
_GROUPS = frozenset({"async.create_group", "async.add_to_group"})


def race_picture(
    function: Operation, first: Operation, second: Operation | None, label: str
) -> Picture:
    """`first` and `second` of `function` without an order; without `second`, the return."""
    ops = list(function.walk())
    last = second or next((o for o in reversed(ops) if o.parent_op() is function), function)
    plan = _plan(function, ops, _drawn(function, first), _drawn(function, last))
    return _picture(plan, label)


def _drawn(function: Operation, op: Operation) -> Operation:
    """The op itself, the launch whose body it stands in, or the call that leads to it."""
    callee, above = "", op.parent_op()
    while above is not None and above is not function:
        op = above if op_name(above) == "gpu.launch" else op
        callee = callee or symbol_name(above) or ""
        above = above.parent_op()
    if above is function or not callee:
        return op
    return next((o for o in function.walk() if _calls(o, callee)), op)


def _calls(op: Operation, name: str) -> bool:
    found = symbol_ref(op, "callee") or symbol_ref(op, "kernel") or ""
    return found.rpartition("::")[2] == name


# Where tokens come from.


def token_sources(value: SSAValue) -> dict[Operation, bool]:
    """The ops that a token may come from, each with whether it is so on some paths only."""
    found: dict[Operation, None] = {}
    for member in _members(value):
        for leaf in _leaves(member):
            found[leaf] = None
    several = {op for member in _members(value) if len(own := _leaves(member)) > 1 for op in own}
    return {op: op in several for op in found}


def _members(value: SSAValue) -> list[SSAValue]:
    """The tokens that were put into a group; any other value is the only member of itself."""
    if not isinstance(value, OpResult) or op_name(value.op) != "async.create_group":
        return [value]
    adds = [use.operation for use in value.uses if op_name(use.operation) == "async.add_to_group"]
    return [add.operands[0] for add in adds if add.operands[0] is not value]


def _leaves(value: SSAValue) -> list[Operation]:
    """The ops that define the values which `value` may be."""
    seen = {value}
    waiting = [value]
    found: dict[Operation, None] = {}
    while waiting:
        current = waiting.pop()
        origins = _origins(current)
        if not origins and isinstance(current, OpResult):
            found[current.op] = None
        waiting += [v for v in origins if v not in seen]
        seen.update(origins)
    return list(found)


def _origins(value: SSAValue) -> list[SSAValue]:
    """The values that are handed on as `value`; none when its op makes it."""
    if isinstance(value, BlockArgument):
        return _argument_origins(value)
    if not isinstance(value, OpResult):
        return []
    return _result_origins(value.op, value.index)


def _result_origins(op: Operation, index: int) -> list[SSAValue]:
    match op_name(op):
        case "scf.if" | "scf.execute_region" | "scf.index_switch" | "affine.if":
            return _at(_yields(op), index)
        case "scf.for" | "affine.for":
            return _at([_inits(op, len(op.results)), *_yields(op)], index)
        case "scf.while":
            return _at(_conditions(op), index)
        case "async.await":
            tasks = _leaves(op.operands[0])
            return [v for t in tasks if op_name(t) == _TASK for v in _awaited(t, op.operands[0])]
        case "arith.select":
            return list(op.operands[1:])
        case "builtin.unrealized_conversion_cast":
            return list(op.operands[:1])
        case _:
            return []


def _argument_origins(value: BlockArgument) -> list[SSAValue]:
    block, index = value.block, value.index
    op = block.parent_op()
    region = block.parent_region()
    if op is None or region is None:
        return []
    if block is not region.blocks[0]:
        return _at(_arriving(block), index)
    match op_name(op):
        case "scf.for" | "affine.for":
            return _at([_inits(op, len(op.results)), *_yields(op)], index - 1)
        case "scf.while" if region is op.regions[0]:
            return _at([list(op.operands), *_yields(op, 1)], index)
        case "scf.while":
            return _at(_conditions(op), index)
        case "async.execute":
            return _at(operand_segments(op)[1:2], index)
        case _:
            return _at(_arriving(block), index)


def _at(lists: Iterable[Sequence[SSAValue]], index: int) -> list[SSAValue]:
    return [values[index] for values in lists if 0 <= index < len(values)]


def _inits(op: Operation, count: int) -> list[SSAValue]:
    return list(op.operands[len(op.operands) - count :])


def _yields(op: Operation, first: int = 0) -> list[Sequence[SSAValue]]:
    """What the regions of `op` hand on at their ends."""
    ends = [b.last_op for r in op.regions[first:] for b in r.blocks]
    return [list(e.operands) for e in ends if e is not None and op_name(e).endswith(".yield")]


def _conditions(op: Operation) -> list[Sequence[SSAValue]]:
    ends = [b.last_op for b in op.regions[0].blocks]
    return [list(e.operands[1:]) for e in ends if e is not None]


def _awaited(task: Operation, value: SSAValue) -> list[SSAValue]:
    """What a task yields as the awaited `value`, which may be handed on before it is awaited."""
    index = value.index - 1 if isinstance(value, OpResult) and value.op is task else 0
    return _at(_yields(task), index)


def _arriving(block: Block) -> Iterator[list[SSAValue]]:
    """The values that each branch to `block` brings."""
    region = block.parent_region()
    for other in region.blocks if region is not None else ():
        end = other.last_op
        for number, target in enumerate(end.successors if end is not None else ()):
            if end is not None and target is block:
                yield _brought(end, number)


def _brought(end: Operation, number: int) -> list[SSAValue]:
    segments = operand_segments(end)
    if len(end.successors) == 1:
        return list(end.operands)
    if op_name(end) != "cf.switch":
        return segments[number + 1] if number + 1 < len(segments) else []
    if number == 0:
        return segments[1]
    sizes = int_array(end, "case_operand_segments") or ()
    begin = sum(sizes[: number - 1])
    return segments[2][begin : begin + sizes[number - 1]] if sizes else []


# Which ops are drawn.


@dataclass(slots=True)
class _Plan:
    """The ops to draw in program order; `before` holds what each waits for, and how surely."""

    function: Operation
    ops: list[Operation]
    first: Operation
    second: Operation
    before: dict[Operation, dict[Operation, bool]]
    is_again: bool
    left_out: int = 0
    lanes: list[str] = field(default_factory=lambda: ["host"])
    lane_of: dict[Operation, int] = field(default_factory=dict)


def _plan(
    function: Operation, ops: Sequence[Operation], first: Operation, second: Operation
) -> _Plan:
    before = _dependencies(ops)
    wanted = _by_distance(before, first, second)
    more = [*_waits_between(ops, first, second), *_same_memory(ops, first, second)]
    more = [o for o in dict.fromkeys(more) if o not in wanted]
    wanted += more[: max(0, _ENOUGH - len(wanted))]
    kept = set(wanted[:MOST_NODES])
    kept |= {task for op in wanted[:MOST_NODES] for task in _tasks_around(op)}
    place = {op: number for number, op in enumerate(ops)}
    shown = sorted(kept, key=lambda op: place.get(op, len(place)))
    is_again = place.get(second, len(place)) <= place.get(first, -1)
    return _Plan(function, shown, first, second, before, is_again, max(0, len(wanted) - MOST_NODES))


def _dependencies(ops: Sequence[Operation]) -> dict[Operation, dict[Operation, bool]]:
    """What the ops that take part in the order wait for."""
    taking = [op for op in ops if _takes_part(op)]
    known = set(taking)
    found: dict[Operation, dict[Operation, bool]] = {}
    for op in taking:
        sources = [token_sources(v) for v in op.operands if is_token(v.type)]
        merged = {o: p for each in sources for o, p in each.items() if o in known}
        found[op] = merged
    return found


def _takes_part(op: Operation) -> bool:
    name = op_name(op)
    if name in _GROUPS or name.endswith(".yield") or op.successors:
        return False
    if name == _TASK or name in _AWAITS or name == "gpu.wait":
        return True
    return not op.regions and any(is_token(v.type) for v in (*op.operands, *op.results))


def _by_distance(
    before: dict[Operation, dict[Operation, bool]], first: Operation, second: Operation
) -> list[Operation]:
    """The pair, then what follows the first or comes before the second, the nearest first."""
    after: dict[Operation, list[Operation]] = {}
    for op, sources in before.items():
        for source in sources:
            after.setdefault(source, []).append(op)
    found = dict.fromkeys([first, second, *_tasks_around(first), *_tasks_around(second)])
    fronts: list[tuple[list[Operation], bool]] = [
        ([first, *_tasks_around(first)], True),
        ([second, *_tasks_around(second), first], False),
    ]
    while any(front for front, _ in fronts):
        for number, (front, is_forward) in enumerate(fronts):
            steps = [o for op in front for o in (after if is_forward else before).get(op, ())]
            fresh = [o for o in dict.fromkeys(steps) if o not in found and not _is_ready(o)]
            found.update(dict.fromkeys(fresh))
            fronts[number] = (fresh, is_forward)
    return list(found)


def _is_ready(op: Operation) -> bool:
    """Whether the op only makes a token that waits for nothing."""
    return op_name(op) == "gpu.wait" and not op.operands


def _tasks_around(op: Operation) -> list[Operation]:
    found: list[Operation] = []
    above = op.parent_op()
    while above is not None:
        found += [above] if op_name(above) == _TASK else []
        above = above.parent_op()
    return found


def _waits_between(
    ops: Sequence[Operation], first: Operation, second: Operation
) -> Iterator[Operation]:
    """The waits after the first op and before the second one, which wait for something else."""
    is_between = False
    for op in ops:
        is_between = (is_between or op is first) and op is not second
        if is_between and not op.results and (op_name(op) == "gpu.wait" or op_name(op) in _AWAITS):
            yield op
            yield from token_sources(op.operands[0]) if op.operands else ()


def _same_memory(
    ops: Sequence[Operation], first: Operation, second: Operation
) -> Iterator[Operation]:
    """Other ops that are given a buffer which the pair shares."""
    shared = _buffers(first) & _buffers(second) or _buffers(first)
    for op in ops:
        is_view = op_name(op) in VIEW_OPS or op_name(op).endswith(".yield")
        if not op.regions and not is_view and _buffers(op) & shared:
            yield op


def _buffers(op: Operation) -> set[SSAValue]:
    values = (*op.operands, *op.results)
    return {_buffer(v) for v in values if is_memref(v.type)}


def _buffer(value: SSAValue) -> SSAValue:
    while isinstance(value, OpResult) and op_name(value.op) in VIEW_OPS:
        several = len(value.op.results) > 1 and len(value.op.operands) == len(value.op.results)
        value = value.op.operands[value.index if several else 0]
    return value


# Lanes and edges.


def _picture(plan: _Plan, label: str) -> Picture:
    for op in plan.ops:
        plan.lane_of[op] = _lane(plan, op)
    _pair_first(plan)
    ids = {op: number for number, op in enumerate(plan.ops)}
    nodes = [_node(plan, op, number) for op, number in ids.items()]
    edges = _edges(plan, ids)
    end = ids[plan.second]
    if plan.is_again:
        end = len(nodes)
        nodes.append(_again(plan, end))
    edges.append(PictureEdge(ids[plan.first], end, "missing"))
    return Picture(tuple(plan.lanes), tuple(nodes), tuple(edges), label, plan.left_out)


def _lane(plan: _Plan, op: Operation) -> int:
    if op_name(op) == _TASK:
        return _new_lane(plan, "task")
    if _is_blocking(op):
        return _task_lane(plan, op)
    ends = {lane: other for other, lane in plan.lane_of.items()}
    for source in plan.before.get(op, ()):
        lane = plan.lane_of.get(source)
        if lane is not None and ends[lane] is source and not _is_blocking(source):
            return lane if op_name(source) != _TASK else _new_lane(plan, "chain")
    return _new_lane(plan, "chain")


def _new_lane(plan: _Plan, kind: str) -> int:
    plan.lanes.append(kind)
    return len(plan.lanes) - 1


def _pair_first(plan: _Plan) -> None:
    """Put the lanes of the pair right behind the host's, where a narrow screen shows them."""
    pair = (plan.lane_of[plan.first], plan.lane_of[plan.second])
    order = list(dict.fromkeys([0, *sorted(pair), *range(len(plan.lanes))]))
    kinds = [plan.lanes[lane] for lane in order]
    plan.lanes = [
        f"{kind} {kinds[: number + 1].count(kind)}" if number else kind
        for number, kind in enumerate(kinds)
    ]
    plan.lane_of = {op: order.index(lane) for op, lane in plan.lane_of.items()}


def _task_lane(plan: _Plan, op: Operation) -> int:
    tasks = _tasks_around(op)
    return plan.lane_of.get(tasks[0], 0) if tasks else 0


def _is_blocking(op: Operation) -> bool:
    """Whether the op's task goes on only after it."""
    name = op_name(op)
    if name in _AWAITS:
        return True
    return name != _TASK and not any(is_token(r.type) for r in op.results)


def _node(plan: _Plan, op: Operation, number: int) -> PictureNode:
    place = op_location(op)
    line = None if place is None else place.line
    is_marked = op is plan.first or (op is plan.second and not plan.is_again)
    name = op_name(op).removeprefix("func.")
    return PictureNode(number, plan.lane_of[op], number, name, line, _where(op), is_marked)


def _again(plan: _Plan, number: int) -> PictureNode:
    """The second op once more, in a later iteration than the first."""
    place = op_location(plan.second)
    line = None if place is None else place.line
    lane = plan.lane_of[plan.second]
    name = op_name(plan.second)
    return PictureNode(number, lane, number, name, line, "repeated", is_marked=True)


def _where(op: Operation) -> str:
    above, region = op.parent_op(), op.parent_region()
    if above is None or region is None or op_name(above) == _TASK:
        return ""
    if op_name(above) in ("scf.if", "affine.if"):
        return "then" if region is above.regions[0] else "else"
    return "loop" if is_loop(above) else ""


def _edges(plan: _Plan, ids: dict[Operation, int]) -> list[PictureEdge]:
    found: list[PictureEdge] = []
    for op, number in ids.items():
        kind = "wait" if _is_blocking(op) else "token"
        for source, is_partial in plan.before.get(op, {}).items():
            if source in ids:
                found.append(PictureEdge(ids[source], number, kind, is_partial))
        for source in _steps_before(plan, op):
            is_partial = not _is_passed(source, op)
            found.append(PictureEdge(ids[source], number, "program", is_partial))
    return found


def _steps_before(plan: _Plan, op: Operation) -> list[Operation]:
    """The blocking steps of its task that come right before an op is issued."""
    tasks = _tasks_around(op)
    lane = plan.lane_of.get(tasks[0], 0) if tasks else 0
    earlier = plan.ops[: plan.ops.index(op)]
    steps = [o for o in earlier if plan.lane_of[o] == lane and (_is_blocking(o) or o in tasks)]
    found: list[Operation] = []
    for step in reversed(steps):
        if not _is_exclusive(step, op) and all(_is_exclusive(step, o) for o in found):
            found.append(step)
    return found


def _meeting(a: Operation, b: Operation) -> tuple[Operation, Operation]:
    """`a` and `b`, or ops that hold them, in one region; themselves where there is none."""
    chain = [a]
    while (above := chain[-1].parent_op()) is not None:
        chain.append(above)
    regions = {op.parent_region(): op for op in reversed(chain)}
    other: Operation | None = b
    while other is not None:
        mine = regions.get(other.parent_region())
        if mine is not None and other.parent_region() is not None:
            return mine, other
        other = other.parent_op()
    return a, b


def _is_exclusive(a: Operation, b: Operation) -> bool:
    """Whether no path leads from `a` to `b` without a loop around both."""
    mine, other = _meeting(a, b)
    if mine is other:
        return mine is not a and mine is not b and op_name(mine) in ("scf.if", "affine.if")
    start, goal = mine.parent, other.parent
    if start is None or start is goal:
        return False
    seen = {start}
    waiting = [start]
    while waiting:
        block = waiting.pop()
        fresh = [s for s in (block.last_op.successors if block.last_op else ()) if s not in seen]
        seen.update(fresh)
        waiting += fresh
    return goal not in seen


def _is_passed(a: Operation, b: Operation) -> bool:
    """Whether every path to `b` comes by `a`, as far as the nesting tells."""
    mine, other = _meeting(a, b)
    region = mine.parent_region()
    if mine is not a or region is None:
        return False
    return mine.parent is other.parent or mine.parent is region.blocks[0]
