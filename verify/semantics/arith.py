"""The `arith` dialect. Integers are signed, `index` has 64 bits, `i1` is a condition.

Source: the dialect's documentation. Overflow flags (`nsw`, `nuw`) are not used: a result that
wraps is taken as it wraps, which covers more than the flags allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation

from verify.ir.names import attr, op_name
from verify.semantics import term as t
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.rounding import Formula, as_float, literal
from verify.semantics.term import Condition, Number
from verify.semantics.types import Element, UnsupportedError, element_of


def scalar_bits(kind: Attribute) -> int | None:
    """The width of an integer or index type, `None` for every other type."""
    # Both classes are final; asking for more than the class itself is slow for those of xDSL.
    if type(kind) is builtin.IntegerType:
        return kind.width.data
    return 64 if type(kind) is builtin.IndexType else None


def as_condition(number: Number) -> Condition:
    """An `i1` number as a condition."""
    return t.negation(t.equal(number, 0))


def unsigned(m: Machine, a: Number, bits: int) -> Number:
    """The unsigned reading of a signed number."""
    return m.algebra.choose(t.less(a, 0), a + (1 << bits), a)


Binary: TypeAlias = "Callable[[Machine, Number, Number, int], Number]"


def _signed_floor(m: Machine, a: Number, b: Number, _: int) -> Number:
    positive = m.algebra.choose(t.less(b, 0), -b, b)
    dividend = m.algebra.choose(t.less(b, 0), -a, a)
    return m.algebra.divide(dividend, positive)


def _signed_quotient(m: Machine, a: Number, b: Number, _: int) -> Number:
    """Rounded towards zero."""
    size = m.algebra.divide(_absolute(m, a), _absolute(m, b))
    opposite = t.any_of(
        [_both(t.less(a, 0), t.at_most(0, b)), _both(t.at_most(0, a), t.less(b, 0))]
    )
    return m.algebra.choose(opposite, -size, size)


def _both(a: Condition, b: Condition) -> Condition:
    return t.all_of([a, b])


def _differ(a: Condition, b: Condition) -> Condition:
    return t.any_of([_both(a, t.negation(b)), _both(t.negation(a), b)])


def _absolute(m: Machine, a: Number) -> Number:
    return m.algebra.choose(t.less(a, 0), -a, a)


def _signed_remainder(m: Machine, a: Number, b: Number, bits: int) -> Number:
    return a - m.algebra.multiply(b, _signed_quotient(m, a, b, bits))


def _unsigned_quotient(m: Machine, a: Number, b: Number, bits: int) -> Number:
    return m.algebra.divide(unsigned(m, a, bits), unsigned(m, b, bits))


def _unsigned_remainder(m: Machine, a: Number, b: Number, bits: int) -> Number:
    divisor = unsigned(m, b, bits)
    return unsigned(m, a, bits) - m.algebra.multiply(divisor, _unsigned_quotient(m, a, b, bits))


def _ceiling_signed(m: Machine, a: Number, b: Number, bits: int) -> Number:
    return -_signed_floor(m, -a, b, bits)


def _ceiling_unsigned(m: Machine, a: Number, b: Number, bits: int) -> Number:
    dividend, divisor = unsigned(m, a, bits), unsigned(m, b, bits)
    return m.algebra.divide(dividend + divisor - 1, divisor)


def _shift_left(m: Machine, a: Number, b: Number, bits: int) -> Number:
    return m.algebra.multiply(a, m.algebra.power(b, bits))


def _shift_right_signed(m: Machine, a: Number, b: Number, bits: int) -> Number:
    return m.algebra.divide(a, m.algebra.power(b, bits))


def _shift_right_unsigned(m: Machine, a: Number, b: Number, bits: int) -> Number:
    return m.algebra.divide(unsigned(m, a, bits), m.algebra.power(b, bits))


def _pick(better: Callable[[Number, Number], Condition], *, is_unsigned: bool = False) -> Binary:
    def run(m: Machine, a: Number, b: Number, bits: int) -> Number:
        first, second = (unsigned(m, a, bits), unsigned(m, b, bits)) if is_unsigned else (a, b)
        return m.algebra.choose(better(first, second), a, b)

    return run


def _bitwise(name: str) -> Binary:
    return lambda m, a, b, bits: m.algebra.bitwise(name, a, b, bits)


BINARY: dict[str, Binary] = {
    "addi": lambda _, a, b, __: a + b,
    "subi": lambda _, a, b, __: a - b,
    "muli": lambda m, a, b, _: m.algebra.multiply(a, b),
    "divsi": _signed_quotient,
    "divui": _unsigned_quotient,
    "remsi": _signed_remainder,
    "remui": _unsigned_remainder,
    "floordivsi": _signed_floor,
    "ceildivsi": _ceiling_signed,
    "ceildivui": _ceiling_unsigned,
    "andi": _bitwise("and"),
    "ori": _bitwise("or"),
    "xori": _bitwise("xor"),
    "shli": _shift_left,
    "shrsi": _shift_right_signed,
    "shrui": _shift_right_unsigned,
    "minsi": _pick(t.at_most),
    "maxsi": _pick(lambda a, b: t.at_most(b, a)),
    "minui": _pick(t.at_most, is_unsigned=True),
    "maxui": _pick(lambda a, b: t.at_most(b, a), is_unsigned=True),
}

OVERFLOWING = frozenset({"divsi", "remsi", "floordivsi", "ceildivsi"})
"""Undefined where the smallest number is divided by -1, as by zero."""

LOGIC: dict[str, Callable[[Condition, Condition], Condition]] = {
    "andi": _both,
    "muli": _both,
    "ori": lambda a, b: t.any_of([a, b]),
    "xori": _differ,
    "addi": _differ,
    "subi": _differ,
    "minui": _both,
    "maxui": lambda a, b: t.any_of([a, b]),
    "maxsi": _both,
    "minsi": lambda a, b: t.any_of([a, b]),
}


def integer_binary(m: Machine, op: Operation, name: str) -> Value:
    """An integer op of two operands, also in the `llvm` and `index` dialects."""
    kind = op.results[0].type
    is_truth = scalar_bits(kind) == 1
    read = m.truth if is_truth else m.number
    if scalar_bits(kind) is None or (is_truth and name not in LOGIC):
        return m.unknown(op, kind)
    return integer_result(m, op, name, kind, (read(op.operands[0]), read(op.operands[1])))


def integer_result(
    m: Machine, op: Operation, name: str, kind: Attribute, operands: tuple[Value, Value]
) -> Value:
    """The result of integer op `name` on values of type `kind`."""
    bits, (a, b) = scalar_bits(kind), operands
    if bits is None or name not in (LOGIC if bits == 1 else BINARY):
        return m.unknown(op, kind)
    if bits == 1:
        return LOGIC[name](a, b)
    if name in OVERFLOWING:
        overflows = _both(t.equal(a, -(1 << (bits - 1))), t.equal(b, -1))
        m.require(t.negation(overflows))
    try:
        return m.algebra.wrap(BINARY[name](m, a, b, bits), bits)
    except UnsupportedError:
        return m.unknown(op, kind)


@rule(*(f"arith.{name}" for name in BINARY))
def binary(m: Machine, op: Operation) -> Sequence[Value]:
    return [integer_binary(m, op, op_name(op).removeprefix("arith."))]


def constant_of(value: Attribute | None, kind: Attribute) -> Value:
    """The value of a constant attribute, or `None` when it is not a scalar."""
    match value:
        case builtin.IntegerAttr():
            number = value.value.data
            if scalar_bits(kind) == 1:
                return number != 0
            bits = scalar_bits(kind) or 64
            half = 1 << (bits - 1)
            return (number + half) % (1 << bits) - half
        case builtin.FloatAttr():
            return value.value.data
        case _:
            return None


@rule("arith.constant")
def constant(m: Machine, op: Operation) -> Sequence[Value]:
    kind = op.results[0].type
    value = constant_of(attr(op, "value"), kind)
    if value is None:
        return [m.unknown(op, kind)]
    if isinstance(value, float):
        return [float_constant(m, op, value, element_of(kind))]
    return [value]


def float_constant(m: Machine, op: Operation, value: float, element: Element) -> Value:
    """A constant of a float type."""
    formula = Formula(lambda: as_float(value, element), lambda _: literal(value, element))
    return m.compute(op, formula, [])


SIGNED = {2: "lt", 3: "le", 4: "gt", 5: "ge"}
UNSIGNED = {6: "lt", 7: "le", 8: "gt", 9: "ge"}
_ORDER: dict[str, Callable[[Number, Number], Condition]] = {
    "lt": t.less,
    "le": t.at_most,
    "gt": lambda a, b: t.less(b, a),
    "ge": lambda a, b: t.at_most(b, a),
}


def compare(m: Machine, predicate: int, a: Number, b: Number, bits: int) -> Condition:
    """An integer comparison with MLIR's predicate numbers."""
    if predicate == 0:
        return t.equal(a, b)
    if predicate == 1:
        return t.negation(t.equal(a, b))
    if predicate in SIGNED:
        return _ORDER[SIGNED[predicate]](a, b)
    return _ORDER[UNSIGNED[predicate]](unsigned(m, a, bits), unsigned(m, b, bits))


def predicate_of(op: Operation) -> int:
    """The predicate of a comparison."""
    value = attr(op, "predicate")
    if isinstance(value, builtin.IntegerAttr):
        return value.value.data
    raise UnsupportedError("a comparison without a predicate")


@rule("arith.cmpi")
def cmpi(m: Machine, op: Operation) -> Sequence[Value]:
    return [integer_comparison(m, op)]


def integer_comparison(m: Machine, op: Operation) -> Value:
    """`cmpi` of `arith` and `icmp` of `llvm`."""
    kind = op.operands[0].type
    bits = scalar_bits(kind)
    if bits is None:
        return m.unknown(op, op.results[0].type)
    if bits == 1:
        a, b = (m.algebra.choose(m.truth(v), -1, 0) for v in op.operands)
    else:
        a, b = m.number(op.operands[0]), m.number(op.operands[1])
    return compare(m, predicate_of(op), a, b, bits)


@rule("arith.select")
def select(m: Machine, op: Operation) -> Sequence[Value]:
    condition, a, b = op.operands
    if scalar_bits(condition.type) != 1:
        return [m.unknown(op, op.results[0].type)]
    return [m.merge(m.truth(condition), m.value(a), m.value(b), op.results[0].type)]


def resized(m: Machine, op: Operation, *, is_signed: bool) -> Value:
    """Widening, narrowing and index casts."""
    source, target = op.operands[0].type, op.results[0].type
    old, new = scalar_bits(source), scalar_bits(target)
    if old is None or new is None:
        return m.unknown(op, target)
    if old == 1:
        if new == 1:
            return m.truth(op.operands[0])
        return m.algebra.choose(m.truth(op.operands[0]), -1 if is_signed else 1, 0)
    number = m.number(op.operands[0])
    if new > old:
        return number if is_signed else unsigned(m, number, old)
    if new == 1:
        return as_condition(number - t.times(m.algebra.divide(number, 2), 2))
    return m.algebra.wrap(number, new)


@rule("arith.extsi", "arith.index_cast", "arith.trunci")
def signed_resize(m: Machine, op: Operation) -> Sequence[Value]:
    return [resized(m, op, is_signed=True)]


@rule("arith.extui", "arith.index_castui")
def unsigned_resize(m: Machine, op: Operation) -> Sequence[Value]:
    return [resized(m, op, is_signed=False)]
