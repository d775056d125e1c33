"""Ops of `arith`, `math` and `llvm` on the bits of a number: casts, counts, and wide results.

Source: the dialects' documentation and the LLVM language reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation

from verify.ir.names import attr, op_name
from verify.semantics import term as t
from verify.semantics.algebra import ConcreteAlgebra, UndefinedBehaviourError
from verify.semantics.arith import scalar_bits, unsigned
from verify.semantics.floats import is_scalar_float
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.rounding import Formula, round_bf16
from verify.semantics.types import Element, element_of

_FLOATS: dict[str, tuple[Any, Any]] = {
    "f16": (np.float16, np.uint16),
    "bf16": (np.float32, np.uint32),
    "f32": (np.float32, np.uint32),
    "f64": (np.float64, np.uint64),
}
_IN_C = {"f32": ("float", "u32"), "f64": ("double", "u64")}


def bits_of_float(value: Any, element: Element) -> int:
    """The bits of a float as a signed number."""
    kind, whole = _FLOATS[element.name]
    held = round_bf16(value) if element.name == "bf16" else value
    raw = int(np.array(held, kind).view(whole)) >> (16 if element.name == "bf16" else 0)
    return _signed(raw, element.bits)


def float_of_bits(number: int, element: Element) -> Any:
    """The float with the bits of a number."""
    kind, whole = _FLOATS[element.name]
    raw = number % (1 << element.bits) << (16 if element.name == "bf16" else 0)
    return np.array(raw, whole).view(kind)[()]


def _signed(raw: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (raw + half) % (1 << bits) - half


def _float_to_bits(text: str, element: Element) -> str:
    if element.bits == 16:
        return f"wrapped<16>(to_{element.name}({text}))"
    return f"wrapped<{element.bits}>(bits_as<{_IN_C[element.name][1]}>({text}))"


def _bits_to_float(text: str, element: Element) -> str:
    if element.bits == 16:
        return f"from_{element.name}((u16)({text}))"
    kind, whole = _IN_C[element.name]
    return f"bits_as<{kind}>(({whole})({text}))"


@cache
def _bitcast(source: Attribute, target: Attribute) -> Formula | None:
    """Between a float and an integer, or between two floats."""
    is_from, is_to = is_scalar_float(source), is_scalar_float(target)
    if not is_from and not is_to:
        return None
    if any(element_of(k).name not in _FLOATS for k in (source, target) if is_scalar_float(k)):
        return None
    old, new = element_of(source), element_of(target)
    if old.kind not in ("int", "float") or new.kind not in ("int", "float") or old.bits != new.bits:
        return None

    def run(value: Any) -> Any:
        number = bits_of_float(value, old) if is_from else value
        return float_of_bits(number, new) if is_to else number

    def text(values: Sequence[str]) -> str:
        number = _float_to_bits(values[0], old) if is_from else values[0]
        return _bits_to_float(number, new) if is_to else number

    return Formula(run, text)


def bitcast(m: Machine, op: Operation) -> Value:
    """The same bits under another type."""
    (operand,) = op.operands
    source, target = operand.type, op.results[0].type
    if source == target or (scalar_bits(source) is not None and scalar_bits(target) is not None):
        return m.value(operand)
    formula = _bitcast(source, target)
    if formula is None:
        return m.unknown(op, target)
    return m.compute(op, formula, [m.value(operand)])


@rule("arith.bitcast")
def arith_bitcast(m: Machine, op: Operation) -> Sequence[Value]:
    return [bitcast(m, op)]


def _ones(raw: int, _: int) -> int:
    return raw.bit_count()


def _leading(raw: int, bits: int) -> int:
    return bits - raw.bit_length()


def _trailing(raw: int, bits: int) -> int:
    return (raw & -raw).bit_length() - 1 if raw else bits


_COUNTS: dict[str, tuple[Callable[[int, int], int], str]] = {
    "ctpop": (_ones, "ones"),
    "ctlz": (_leading, "leading_zeros"),
    "cttz": (_trailing, "trailing_zeros"),
}


@cache
def _counting(name: str, bits: int, *, is_poison: bool) -> Formula:
    """`is_poison` is of what comes of zero."""
    function, in_c = _COUNTS[name]

    def run(a: Any) -> int:
        if a == 0 and is_poison:
            raise UndefinedBehaviourError(f"`{name}` of zero")
        return _signed(function(int(a) % (1 << bits), bits), bits)

    return Formula(
        run,
        lambda v: f"wrapped<{bits}>({in_c}<{bits}>({v[0]}))",
    )


@rule(*(f"{dialect}.{name}" for dialect in ("math", "llvm.intr") for name in _COUNTS))
def count(m: Machine, op: Operation) -> Sequence[Value]:
    bits = scalar_bits(op.results[0].type)
    if bits is None or bits == 1:
        return [m.unknown(op, op.results[0].type)]
    name = op_name(op).rpartition(".")[2]
    formula = _counting(name, bits, is_poison=_is_set(op, "is_zero_poison"))
    return [m.compute(op, formula, [m.value(op.operands[0])])]


def _is_set(op: Operation, name: str) -> bool:
    value = attr(op, name)
    return isinstance(value, builtin.IntegerAttr) and bool(value.value.data)


@rule("math.absi", "llvm.intr.abs")
def absolute(m: Machine, op: Operation) -> Sequence[Value]:
    bits = scalar_bits(op.results[0].type)
    if bits is None or bits == 1:
        return [m.unknown(op, op.results[0].type)]
    number = m.number(op.operands[0])
    is_smallest = isinstance(m.algebra, ConcreteAlgebra) and number == -(1 << (bits - 1))
    if is_smallest and _is_set(op, "is_int_min_poison"):
        raise UndefinedBehaviourError("the size of the smallest number")
    return [m.algebra.wrap(m.algebra.choose(t.less(number, 0), -number, number), bits)]


@rule("arith.addui_extended")
def add_extended(m: Machine, op: Operation) -> Sequence[Value]:
    bits = scalar_bits(op.operands[0].type)
    if bits is None or bits == 1:
        return [m.unknown(op, r.type) for r in op.results]
    a, b = (unsigned(m, m.number(v), bits) for v in op.operands)
    return [m.algebra.wrap(a + b, bits), t.at_most(1 << bits, a + b)]


@rule("arith.mulsi_extended", "arith.mului_extended")
def multiply_extended(m: Machine, op: Operation) -> Sequence[Value]:
    bits = scalar_bits(op.operands[0].type)
    if bits is None or bits == 1:
        return [m.unknown(op, r.type) for r in op.results]
    a, b = (m.number(v) for v in op.operands)
    product = m.algebra.multiply(a, b)
    high = m.algebra.divide(product, 1 << bits)
    if op_name(op) == "arith.mului_extended":
        # A negative number stands for one that is 2 ** bits greater.
        high = high + m.algebra.choose(t.less(a, 0), b, 0) + m.algebra.choose(t.less(b, 0), a, 0)
    return [m.algebra.wrap(product, bits), m.algebra.wrap(high, bits)]
