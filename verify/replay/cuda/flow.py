"""Control flow in C: branches, loops, and blocks that jump.

What a loop carries, or a branch or block hands on, is in variables that are assigned at once
where control goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Block, Operation, Region

from verify.ir.names import op_name
from verify.replay.cuda.expressions import condition, exact
from verify.replay.cuda.places import Pair, fresh, joined, take_over
from verify.replay.cuda.writer import Lines
from verify.semantics import term as t
from verify.semantics.machine import edges_of, parameters
from verify.semantics.scf import terminator_of
from verify.semantics.term import Condition, Number
from verify.semantics.types import UnsupportedError
from verify.semantics.values import View

if TYPE_CHECKING:
    from verify.replay.cuda.machine import CudaMachine

NO_WAY_OUT = frozenset({"llvm.unreachable", "ub.unreachable"})
_loops = count()


def trap_unless(m: CudaMachine, holds: Condition) -> None:
    """Stop the kernel where a condition does not hold."""
    if holds is not True:
        m.writer.put(f"if (!{condition(holds)}) __trap();" if holds is not False else "__trap();")


def hand_on(m: CudaMachine, places: Sequence[Any], values: Sequence[Any]) -> None:
    """Let another iteration or block start from some values.

    Each time an op allocates it makes other memory; in C it is one array, so that cannot be
    handed on where the op may run again.
    """
    for value in values:
        owners = value.memory.owners if isinstance(value, View) else ()
        if any(owner[: len(m.loops)] == m.loops for owner in owners):
            raise UnsupportedError("a loop in a kernel hands on memory that it allocates")
    begin(m, places, values)


def begin(m: CudaMachine, places: Sequence[Any], values: Sequence[Any]) -> None:
    """Give the variables of `places` their values, at once."""
    pairs: list[Pair] = []
    for place, value in zip(places, values, strict=True):
        pairs.extend(take_over(place, value))
    m.writer.assign(pairs)


@contextmanager
def in_loop(m: CudaMachine) -> Generator[None]:
    """Where code may run several times."""
    outer = m.loops
    m.loops = (*outer, next(_loops))
    try:
        yield
    finally:
        m.loops = outer


def merge(m: CudaMachine, holds: Condition, a: Any, b: Any, kind: Attribute) -> Any:
    """`a` if the condition holds else `b`; both are known already."""
    if isinstance(holds, bool):
        return a if holds else b
    if isinstance(a, int | t.Lin) and not isinstance(a, bool):
        return m.algebra.choose(holds, a, b)
    holds = m.settled(holds, None)
    place = joined(m.writer, [a, b], kind, None)
    values = {name: value for _, name, value in take_over(place, b)}
    chosen = dict.fromkeys([*values, *(name for _, name, _ in take_over(place, a))])
    first = {name: value for _, name, value in take_over(place, a)}
    for name in chosen:
        yes, no = first.get(name, name), values.get(name, name)
        m.writer.put(f"{name} = {condition(holds)} ? {yes} : {no};")
    return place


def branch(
    m: CudaMachine,
    op: Operation,
    cases: Sequence[tuple[Condition, Callable[[], Sequence[Any]]]],
) -> Sequence[Any]:
    """Cases in order; the first whose condition holds."""
    (holds, run), *others = cases
    if holds is True or not others:
        return run()
    if holds is False:
        return branch(m, op, others)
    text = condition(m.settled(holds, None))
    with m.writer.block() as first:
        values = run()
    with m.writer.block() as second:
        other = branch(m, op, others)
    results = [
        joined(m.writer, [a, b], result.type, result.name_hint)
        for a, b, result in zip(values, other, op.results, strict=True)
    ]
    for lines, given in ((first, values), (second, other)):
        _append(m, lines, results, given)
    m.writer.nested(f"if ({text})", first, "} else {" if second else "}")
    m.writer.lines.extend([second, "}"] if second else [])
    return results


def _append(m: CudaMachine, lines: Lines, places: Sequence[Any], values: Sequence[Any]) -> None:
    with m.writer.block() as more:
        begin(m, places, values)
    lines.extend(more)


def carried(m: CudaMachine, kinds: Sequence[Attribute], initial: Sequence[Any]) -> list[Any]:
    """Variables for what a loop carries, with their first values."""
    places = [fresh(m.writer, kind) for kind in kinds]
    begin(m, places, initial)
    return places


def for_loop(
    m: CudaMachine,
    op: Operation,
    bounds: tuple[Number, Number, Number],
    initial: Sequence[Any],
    region: Region,
) -> Sequence[Any]:
    """A counted loop; its counter is wide enough to pass the end."""
    places = carried(m, [r.type for r in op.results], initial)
    _counted(m, bounds, lambda at: hand_on(m, places, m.run_region(region, [at, *places])))
    return places


def _counted(
    m: CudaMachine, bounds: tuple[Number, Number, Number], body: Callable[[Number], None]
) -> None:
    lower, upper, step = (m.settled(b, None) for b in bounds)
    (low, _), (_, high), (_, most) = (t.interval(b) for b in (lower, upper, step))
    if low is None or high is None or most is None:
        raise UnsupportedError("a loop without bounds")
    counter = m.named("at", min(low, high), max(high - 1 + most, low))
    at = m.named("i", min(low, high), max(high - 1, low))
    name = exact(counter)
    with in_loop(m), m.writer.block() as lines:
        m.writer.put(f"{exact(at)} = {name};")
        body(at)
    head = f"for ({name} = {exact(lower)}; {name} < {exact(upper)}; {name} += {exact(step)})"
    m.writer.nested(head, lines)


def grid_loop(
    m: CudaMachine,
    op: Operation,
    bounds: Sequence[tuple[Number, Number, Number]],
    initial: Sequence[Any],
    body: Callable[[Sequence[Number], Sequence[Any]], Sequence[Any]],
) -> Sequence[Any]:
    """Every point in row-major order, one after the other."""
    places = carried(m, [r.type for r in op.results[: len(initial)]], initial)

    def nest(left: Sequence[tuple[Number, Number, Number]], point: list[Number]) -> None:
        if left:
            _counted(m, left[0], lambda at: nest(left[1:], [*point, at]))
        else:
            hand_on(m, places, body(point, places))

    nest(bounds, [])
    return places


def while_loop(m: CudaMachine, op: Operation, initial: Sequence[Any]) -> Sequence[Any]:
    """The results are what the condition hands on when it does not hold."""
    before, after = op.regions
    places = carried(m, [a.type for a in before.blocks[0].args], initial)
    handed = [fresh(m.writer, r.type, r.name_hint) for r in op.results]
    with in_loop(m), m.writer.block() as lines:
        going, *values = m.run_region(before, places)
        going = m.settled(going, "going")
        hand_on(m, handed, values)
        m.writer.put(f"if (!{condition(going)}) break;")
        hand_on(m, places, m.run_region(after, handed))
    m.writer.nested("for (;;)", lines)
    return handed


def run_blocks(m: CudaMachine, region: Region, arguments: Sequence[Any]) -> Sequence[Any]:
    """A region of several blocks, each behind a label."""
    order = in_reverse_postorder(region.blocks[0])
    labels = {block: m.writer.fresh("block") for block in order}
    places = {b: [fresh(m.writer, a.type, a.name_hint) for a in b.args] for b in order[1:]}
    places[order[0]] = list(arguments)
    results = [fresh(m.writer, kind) for kind in _left_with(order)]
    end = m.writer.fresh("leave")
    with in_loop(m):
        for block in order:
            m.writer.put(f"{labels[block]}:;")
            _run_block(m, block, places[block])
            _leave(m, block, labels, places, (end, results))
    m.writer.put(f"{end}:;")
    return results


def _run_block(m: CudaMachine, block: Block, values: Sequence[Any]) -> None:
    for parameter, argument in parameters(block, values):
        m.env[parameter] = argument
    m.run_ops(block.ops)


def _leave(
    m: CudaMachine,
    block: Block,
    labels: dict[Block, str],
    places: dict[Block, list[Any]],
    end: tuple[str, list[Any]],
) -> None:
    last = terminator_of(block)
    onward = edges_of(m, last, op_name(last))
    if onward is None:
        if op_name(last) not in NO_WAY_OUT:
            hand_on(m, end[1], [m.env[v] for v in last.operands])
            m.writer.put(f"goto {end[0]};")
        return
    for number, (holds, target, values) in enumerate(onward):
        with m.writer.block() as lines:
            hand_on(m, places[target], values)
            m.writer.put(f"goto {labels[target]};")
        if number == len(onward) - 1 or holds is True:
            m.writer.lines.extend(lines)
            return
        m.writer.nested(f"if ({condition(holds)})", lines)


def _left_with(order: Sequence[Block]) -> list[Attribute]:
    for block in order:
        last = terminator_of(block)
        if not last.successors and op_name(last) not in NO_WAY_OUT:
            return [v.type for v in last.operands]
    return []


def in_reverse_postorder(entry: Block) -> list[Block]:
    """The blocks that can be reached, each after all that dominate it."""
    done: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_targets(entry)))]
    while stack:
        block, left = stack[-1]
        target = next(left, None)
        if target is None:
            done.append(block)
            stack.pop()
        elif target not in seen:
            seen.add(target)
            stack.append((target, iter(_targets(target))))
    return done[::-1]


def _targets(block: Block) -> Sequence[Block]:
    return block.last_op.successors if block.last_op is not None else ()
