"""The `cf` dialect and `llvm` branches: where a block's terminator may go."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import builtin
from xdsl.ir import Operation

from verify.ir.names import attr, operand_segments
from verify.semantics import term as t
from verify.semantics.machine import EDGES, Edge, Machine, Value, rule
from verify.semantics.types import UnsupportedError


def _jump(m: Machine, op: Operation) -> Sequence[Edge]:
    return [(True, op.successors[0], [m.value(v) for v in op.operands])]


def _conditional(m: Machine, op: Operation) -> Sequence[Edge]:
    segments = operand_segments(op)
    condition = m.truth(segments[0][0])
    first, second = op.successors
    return [
        (condition, first, [m.value(v) for v in segments[1]]),
        (t.negation(condition), second, [m.value(v) for v in segments[2]]),
    ]


def _switch(m: Machine, op: Operation) -> Sequence[Edge]:
    segments = operand_segments(op)
    counts = attr(op, "case_operand_segments")
    if len(segments) < 3:
        raise UnsupportedError("a switch without operand segments")
    flag = m.number(segments[0][0])
    values = attr(op, "case_values")
    cases = (
        list(values.get_values()) if isinstance(values, builtin.DenseIntOrFPElementsAttr) else []
    )
    default, *others = op.successors
    rest = iter([m.value(v) for v in segments[2]])
    sizes = counts.get_values() if isinstance(counts, builtin.DenseArrayBase) else [0] * len(cases)
    edges: list[Edge] = []
    missed: list[t.Condition] = []
    for case, block, size in zip(cases, others, sizes, strict=True):
        hit = t.equal(flag, int(case))
        edges.append((hit, block, [next(rest) for _ in range(int(size))]))
        missed.append(t.negation(hit))
    edges.append((t.all_of(missed), default, [m.value(v) for v in segments[1]]))
    return edges


EDGES.update(
    {
        "cf.br": _jump,
        "cf.cond_br": _conditional,
        "cf.switch": _switch,
        "llvm.br": _jump,
        "llvm.cond_br": _conditional,
    }
)


@rule("cf.br", "cf.cond_br", "cf.switch", "llvm.br", "llvm.cond_br")
def terminator(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("llvm.unreachable", "ub.unreachable")
def unreachable(m: Machine, _: Operation) -> Sequence[Value]:
    m.assume(False)  # noqa: FBT003 - a condition that never holds
    return []


@rule("cf.assert")
def assert_(m: Machine, op: Operation) -> Sequence[Value]:
    m.assume(m.truth(op.operands[0]))
    return []
