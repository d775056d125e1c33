"""What an atomic op leaves in memory: `memref.atomic_rmw` and `llvm.atomicrmw`.

A machine that runs a program step by step works it out; for others it is an arbitrary value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation

from verify.ir.names import attr
from verify.semantics import floats
from verify.semantics.algebra import ConcreteAlgebra
from verify.semantics.arith import BINARY, scalar_bits
from verify.semantics.machine import Machine, Value
from verify.semantics.rounding import Formula
from verify.semantics.types import UnsupportedError

MEMREF_KINDS = (
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxsi", "maxui", "minimumf",
    "minnumf", "minsi", "minui", "mulf", "muli", "ori", "xori",
)  # fmt: skip
"""The ops of `memref.atomic_rmw` by their numbers, under the names that `arith` has for them."""

LLVM_KINDS = (
    "assign", "addi", "subi", "andi", "nand", "ori", "xori", "maxsi", "minsi", "maxui", "minui",
    "addf", "subf", "maxnumf", "minnumf", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat",
    "maximumf", "minimumf",
)  # fmt: skip
"""The same of `llvm.atomicrmw`."""


def updated(m: Machine, op: Operation, old: Value, value: Value) -> Value:
    """What an atomic op writes where `old` is."""
    kind = op.results[0].type
    number, names = attr(op, "kind"), MEMREF_KINDS
    if number is None:
        number, names = attr(op, "bin_op"), LLVM_KINDS
    if not isinstance(m.algebra, ConcreteAlgebra) or not isinstance(number, builtin.IntegerAttr):
        return m.unknown(op, kind)
    place = number.value.data
    run = _combination(m, names[place], kind) if place < len(names) else None
    if run is None:
        return m.unknown(op, kind)
    return m.compute(op, Formula(run, _no_text), [old, value])


def _combination(m: Machine, name: str, kind: Attribute) -> Callable[[Any, Any], Any] | None:
    if name == "assign":
        return lambda _, new: new
    bits = scalar_bits(kind)
    if bits is None:
        return floats.formula(name, kind, 2)
    if bits == 1:
        return None
    if name == "nand":
        return lambda a, b: -1 - m.algebra.bitwise("and", a, b, bits)
    if name not in BINARY:
        return None
    return lambda a, b: m.algebra.wrap(BINARY[name](m, a, b, bits), bits)


def _no_text(_: Sequence[str]) -> str:
    raise UnsupportedError("an atomic op in C")
