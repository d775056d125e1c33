"""The `scf` dialect: structured control flow.

Source: the dialect's documentation. `scf.parallel` and `scf.forall` are taken in row-major
order, which is one of the orders they allow.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import builtin
from xdsl.ir import Block, Operation, Region

from verify.ir.names import attr, op_name, operand_segments
from verify.semantics import term as t
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.memref import mixed
from verify.semantics.term import Condition, Number
from verify.semantics.types import UnsupportedError


@rule("scf.yield", "scf.condition", "scf.reduce", "scf.reduce.return", "scf.forall.in_parallel")
def terminator(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("scf.if")
def if_(m: Machine, op: Operation) -> Sequence[Value]:
    condition = m.truth(op.operands[0])
    return m.branch(
        op,
        [
            (condition, lambda: run_if_present(m, op.regions[0])),
            (True, lambda: run_if_present(m, op.regions[1])),
        ],
    )


def run_if_present(m: Machine, region: Region) -> Sequence[Value]:
    """Run a region that may have no block."""
    return m.run_region(region, []) if region.blocks else []


@rule("scf.execute_region")
def execute_region(m: Machine, op: Operation) -> Sequence[Value]:
    return m.run_region(op.regions[0], [])


@rule("scf.index_switch")
def index_switch(m: Machine, op: Operation) -> Sequence[Value]:
    selector = m.number(op.operands[0])
    cases = attr(op, "cases")
    if not isinstance(cases, builtin.DenseArrayBase):
        raise UnsupportedError("`scf.index_switch` without cases")
    default, *regions = op.regions
    taken: list[tuple[Condition, Region]] = [
        (t.equal(selector, int(case)), region)
        for case, region in zip(cases.get_values(), regions, strict=True)
    ]
    taken.append((True, default))
    return m.branch(op, [(c, lambda r=r: m.run_region(r, [])) for c, r in taken])


@rule("scf.for")
def for_(m: Machine, op: Operation) -> Sequence[Value]:
    lower, upper, step, *initial = op.operands
    bounds = (m.number(lower), m.number(upper), m.number(step))
    if attr(op, "unsignedCmp") is not None:
        low = [t.interval(b)[0] for b in bounds]
        if any(b is None or b < 0 for b in low):
            raise UnsupportedError("`scf.for` with unsigned bounds that may be negative")
    return m.for_loop(op, bounds, [m.value(v) for v in initial], op.regions[0])


@rule("scf.while")
def while_(m: Machine, op: Operation) -> Sequence[Value]:
    return m.while_loop(op, [m.value(v) for v in op.operands])


@rule("scf.parallel")
def parallel(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    lowers, uppers, steps, initial = segments
    bounds = [
        (m.number(a), m.number(b), m.number(s))
        for a, b, s in zip(lowers, uppers, steps, strict=True)
    ]

    region = op.regions[0]

    def body(point: Sequence[Number], accumulated: Sequence[Value]) -> Sequence[Value]:
        reduce = m.run_terminator(region, point)
        return [
            m.run_region(part, [old, m.value(new)])[0]
            for part, old, new in zip(reduce.regions, accumulated, reduce.operands, strict=True)
        ]

    return m.grid_loop(op, bounds, [m.value(v) for v in initial], body)


@rule("scf.forall")
def forall(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    if op.results:
        raise UnsupportedError("`scf.forall` with shared outputs")
    lowers = mixed(m, op, "staticLowerBound", segments[0])
    uppers = mixed(m, op, "staticUpperBound", segments[1])
    steps = mixed(m, op, "staticStep", segments[2])
    bounds: list[tuple[Number, Number, Number]] = list(zip(lowers, uppers, steps, strict=True))
    return m.grid_loop(op, bounds, [], lambda point, _: plain_body(m, op.regions[0], point))


def plain_body(m: Machine, region: Region, point: Sequence[Value]) -> Sequence[Value]:
    """Run a region that accumulates nothing."""
    m.run_terminator(region, point)
    return []


def terminator_of(block: Block) -> Operation:
    """The last op of a block."""
    last = block.last_op
    if last is None:
        raise UnsupportedError("a block without a terminator")
    return last


def is_condition(op: Operation) -> bool:
    """Whether `op` ends the first region of a while loop."""
    return op_name(op) == "scf.condition"
