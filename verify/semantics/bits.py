"""Ops that count bits, and the size of a number; of `math` and `llvm`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import builtin
from xdsl.ir import Operation

from verify.ir.names import attr
from verify.semantics import term as t
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.arith import scalar_bits
from verify.semantics.machine import Machine, Value
from verify.semantics.rounding import Formula
from verify.semantics.term import Number
from verify.semantics.types import UnsupportedError

COUNTS: dict[str, Callable[[int, int], int]] = {
    "ctpop": lambda a, _: a.bit_count(),
    "ctlz": lambda a, bits: bits - a.bit_length(),
    "cttz": lambda a, bits: (a & -a).bit_length() - 1 if a else bits,
}


def count(m: Machine, op: Operation, name: str) -> Value:
    """`ctpop`, `ctlz` or `cttz`; `llvm` may take a zero's leading and trailing ones for poison."""
    kind = op.results[0].type
    bits = scalar_bits(kind)
    if bits is None or bits == 1:
        return m.unknown(op, kind)
    is_poison = _is_set(op, "is_zero_poison")

    def run(a: Any) -> Number:
        if a == 0 and is_poison:
            raise UndefinedBehaviourError(f"`{name}` of zero")
        return m.algebra.wrap(COUNTS[name](int(a) % (1 << bits), bits), bits)

    return m.compute(op, Formula(run, _no_text), [m.value(op.operands[0])])


def size(m: Machine, op: Operation) -> Value:
    """`absi` and `llvm.intr.abs`."""
    kind = op.results[0].type
    bits = scalar_bits(kind)
    if bits is None or bits == 1:
        return m.unknown(op, kind)
    a = m.number(op.operands[0])
    if _is_set(op, "is_int_min_poison"):
        m.require(t.negation(t.equal(a, -(1 << (bits - 1)))))
    return m.algebra.wrap(m.algebra.choose(t.at_most(0, a), a, 0 - a), bits)


def _is_set(op: Operation, name: str) -> bool:
    value = attr(op, name)
    return isinstance(value, builtin.IntegerAttr) and bool(value.value.data)


def _no_text(_: Sequence[str]) -> str:
    raise UnsupportedError("a count of bits in C")
