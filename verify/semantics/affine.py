"""The `affine` dialect: maps, accesses, loops and conditions.

Source: the dialect's documentation. A map's operands are its dimensions, then its symbols; a
lower bound is the greatest of a map's results and an upper bound the least.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import builtin
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from verify.ir.names import attr, int_array, operand_segments
from verify.semantics import term as t
from verify.semantics.arith import constant_of
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.memref import DYNAMIC
from verify.semantics.scf import plain_body, run_if_present
from verify.semantics.term import Number
from verify.semantics.types import UnsupportedError


@rule("affine.yield")
def terminator(_: Machine, __: Operation) -> Sequence[Value]:
    return []


def evaluate(
    m: Machine, expr: AffineExpr, dims: Sequence[Number], symbols: Sequence[Number]
) -> Number:
    """An affine expression; `mod`, `floordiv` and `ceildiv` round as affine maps do."""
    match expr:
        case AffineConstantExpr(value):
            return value
        case AffineDimExpr(position):
            return dims[position]
        case AffineSymExpr(position):
            return symbols[position]
        case AffineBinaryOpExpr(kind, left, right):
            a = evaluate(m, left, dims, symbols)
            b = evaluate(m, right, dims, symbols)
            return _binary(m, kind, a, b)
        case _:
            raise UnsupportedError(f"affine expression {expr}")


def _binary(m: Machine, kind: AffineBinaryOpKind, a: Number, b: Number) -> Number:
    match kind:
        case AffineBinaryOpKind.Add:
            return a + b
        case AffineBinaryOpKind.Mul:
            return m.algebra.multiply(a, b)
        case AffineBinaryOpKind.FloorDiv:
            return m.algebra.divide(a, b)
        case AffineBinaryOpKind.CeilDiv:
            return -m.algebra.divide(-a, b)
        case AffineBinaryOpKind.Mod:
            return a - m.algebra.multiply(b, m.algebra.divide(a, b))


def map_attribute(op: Operation, name: str) -> AffineMap:
    """The affine map that `op` holds under `name`."""
    value = attr(op, name)
    if isinstance(value, builtin.AffineMapAttr):
        return value.data
    raise UnsupportedError(f"`{op.name}` without an affine map `{name}`")


def apply(m: Machine, affine_map: AffineMap, operands: Sequence[SSAValue]) -> list[Number]:
    """Every result of a map on SSA operands, each wrapped as an index."""
    numbers = [m.number(v) for v in operands]
    dims, symbols = numbers[: affine_map.num_dims], numbers[affine_map.num_dims :]
    return [m.algebra.wrap(evaluate(m, e, dims, symbols), 64) for e in affine_map.results]


@rule("affine.apply")
def apply_(m: Machine, op: Operation) -> Sequence[Value]:
    return apply(m, map_attribute(op, "map"), op.operands)


def least(m: Machine, numbers: Sequence[Number]) -> Number:
    """The smallest of one or more numbers."""
    result = numbers[0]
    for number in numbers[1:]:
        result = m.algebra.choose(t.at_most(result, number), result, number)
    return result


def greatest(m: Machine, numbers: Sequence[Number]) -> Number:
    """The largest of one or more numbers."""
    return -least(m, [-n for n in numbers])


def _basis(op: Operation, dynamic: Sequence[Number], count: int) -> list[Number]:
    """How many steps of each of `count` indices but the first make one of the index before it.

    A bound for the first index may be given and counts for nothing.
    """
    static = int_array(op, "static_basis") or ()
    rest = iter(dynamic)
    basis = [next(rest) if n == DYNAMIC else n for n in static]
    return basis[len(basis) - (count - 1) :]


@rule("affine.linearize_index")
def linearize(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    if not segments:
        raise UnsupportedError("`affine.linearize_index` without segments")
    indices, dynamic = ([m.number(v) for v in part] for part in segments)
    if not indices:
        return [0]
    total, *others = indices
    for index, size in zip(others, _basis(op, dynamic, len(indices)), strict=True):
        total = m.algebra.multiply(total, size) + index
    return [m.algebra.wrap(total, 64)]


@rule("affine.delinearize_index")
def delinearize(m: Machine, op: Operation) -> Sequence[Value]:
    left, *dynamic = (m.number(v) for v in op.operands)
    found: list[Number] = []
    for size in reversed(_basis(op, dynamic, len(op.results))):
        quotient = m.algebra.divide(left, size)
        found.append(left - m.algebra.multiply(size, quotient))
        left = quotient
    return [left, *reversed(found)]


@rule("affine.min")
def min_(m: Machine, op: Operation) -> Sequence[Value]:
    return [least(m, apply(m, map_attribute(op, "map"), op.operands))]


@rule("affine.max")
def max_(m: Machine, op: Operation) -> Sequence[Value]:
    return [greatest(m, apply(m, map_attribute(op, "map"), op.operands))]


@rule("affine.load")
def load(m: Machine, op: Operation) -> Sequence[Value]:
    view, *operands = op.operands
    places = apply(m, map_attribute(op, "map"), operands)
    return [m.load(op, m.value(view), places, op.results[0].type)]


@rule("affine.store")
def store(m: Machine, op: Operation) -> Sequence[Value]:
    value, view, *operands = op.operands
    places = apply(m, map_attribute(op, "map"), operands)
    m.store(op, m.value(view), places, m.value(value), value.type)
    return []


@rule("affine.prefetch")
def prefetch(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("affine.for")
def for_(m: Machine, op: Operation) -> Sequence[Value]:
    segments = operand_segments(op)
    low, high, initial = segments
    lower = greatest(m, apply(m, map_attribute(op, "lowerBoundMap"), low))
    upper = least(m, apply(m, map_attribute(op, "upperBoundMap"), high))
    step = constant_of(attr(op, "step"), builtin.IndexType())
    start = [m.value(v) for v in initial]
    return m.for_loop(op, (lower, upper, step), start, op.regions[0])


def _grouped(
    m: Machine, op: Operation, which: str, operands: Sequence[SSAValue]
) -> list[list[Number]]:
    numbers = apply(m, map_attribute(op, f"{which}Map"), operands)
    groups = attr(op, f"{which}Groups")
    if not isinstance(groups, builtin.DenseIntOrFPElementsAttr):
        return [[n] for n in numbers]
    rest = iter(numbers)
    return [[next(rest) for _ in range(int(size))] for size in groups.get_values()]


@rule("affine.parallel")
def parallel(m: Machine, op: Operation) -> Sequence[Value]:
    if op.results:
        raise UnsupportedError("`affine.parallel` with reductions")
    low_map = map_attribute(op, "lowerBoundsMap")
    count = low_map.num_dims + low_map.num_symbols
    lowers = _grouped(m, op, "lowerBounds", op.operands[:count])
    uppers = _grouped(m, op, "upperBounds", op.operands[count:])
    steps = int_array(op, "steps")
    if steps is None:
        raise UnsupportedError("`affine.parallel` without steps")
    bounds = [
        (greatest(m, low), least(m, high), step)
        for low, high, step in zip(lowers, uppers, steps, strict=True)
    ]
    return m.grid_loop(op, bounds, [], lambda point, _: plain_body(m, op.regions[0], point))


@rule("affine.if")
def if_(m: Machine, op: Operation) -> Sequence[Value]:
    value = attr(op, "condition")
    if not isinstance(value, builtin.AffineSetAttr):
        raise UnsupportedError("`affine.if` without an integer set")
    numbers = [m.number(v) for v in op.operands]
    dims, symbols = numbers[: value.data.num_dims], numbers[value.data.num_dims :]
    holds = t.all_of(
        _constraint(
            c.kind,
            evaluate(m, c.lhs, dims, symbols),
            evaluate(m, c.rhs, dims, symbols),
        )
        for c in value.data.constraints
    )
    return m.branch(
        op,
        [
            (holds, lambda: run_if_present(m, op.regions[0])),
            (True, lambda: run_if_present(m, op.regions[1])),
        ],
    )


def _constraint(kind: AffineConstraintKind, a: Number, b: Number) -> t.Condition:
    match kind:
        case AffineConstraintKind.eq:
            return t.equal(a, b)
        case AffineConstraintKind.ge:
            return t.at_most(b, a)
        case AffineConstraintKind.le:
            return t.at_most(a, b)
