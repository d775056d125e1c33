"""Atomic updates, of `memref` and `llvm`: an element is read, changed and written in one step.

Source: the dialects' documentation and the LLVM language reference.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from verify.ir.names import int_attr, op_name
from verify.semantics import floats
from verify.semantics.arith import integer_result, scalar_bits
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.term import Number
from verify.semantics.types import UnsupportedError

ASSIGN = "assign"
KINDS = (
    "addf", "addi", "andi", ASSIGN, "maximumf", "maxnumf", "maxsi", "maxui", "minimumf", "minnumf",
    "minsi", "minui", "mulf", "muli", "ori", "xori",
)  # fmt: skip
"""What `memref.atomic_rmw` does, by the numbers of MLIR 22; a test holds them against its names."""
LLVM_KINDS = (
    ASSIGN, "addi", "subi", "andi", "nand", "ori", "xori", "maxsi", "minsi", "maxui", "minui",
    "addf", "subf", "maxnumf", "minnumf", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat",
    "maximumf", "minimumf",
)  # fmt: skip
"""What `llvm.atomicrmw` does, by number; what is no op of `arith` gives an unknown value."""


def _changed(m: Machine, op: Operation, name: str, old: Value, value: Value) -> Value:
    """The new value; both have the type of the op's result."""
    kind = op.results[0].type
    if name == ASSIGN:
        return value
    if name == "nand":
        both = integer_result(m, op, "andi", kind, (old, value))
        ones = True if scalar_bits(kind) == 1 else -1
        return integer_result(m, op, "xori", kind, (both, ones))
    if floats.is_float_op(name):
        return floats.computed(m, op, name, kind, [old, value])
    return integer_result(m, op, name, kind, (old, value))


def _updated(
    m: Machine, op: Operation, name: str, view: Value, places: Sequence[Number], value: Value
) -> Value:
    kind = op.results[0].type
    return m.update(op, view, places, kind, lambda old: _changed(m, op, name, old, value))


def _name(op: Operation, attribute: str, names: Sequence[str]) -> str:
    number = int_attr(op, attribute)
    if number is None or not 0 <= number < len(names):
        raise UnsupportedError(f"`{op_name(op)}` of a kind that is not known")
    return names[number]


@rule("memref.atomic_rmw")
def atomic_rmw(m: Machine, op: Operation) -> Sequence[Value]:
    operand, view, *indices = op.operands
    places = [m.number(i) for i in indices]
    return [_updated(m, op, _name(op, "kind", KINDS), m.value(view), places, m.value(operand))]


@rule("memref.generic_atomic_rmw")
def generic_atomic_rmw(m: Machine, op: Operation) -> Sequence[Value]:
    view, *indices = op.operands
    places = [m.number(i) for i in indices]
    kind = op.results[0].type
    return [
        m.update(op, m.value(view), places, kind, lambda old: m.run_region(op.regions[0], [old])[0])
    ]


@rule("memref.atomic_yield")
def atomic_yield(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("llvm.atomicrmw")
def llvm_atomicrmw(m: Machine, op: Operation) -> Sequence[Value]:
    pointer, operand = op.operands
    name = _name(op, "bin_op", LLVM_KINDS)
    return [_updated(m, op, name, m.value(pointer), [], m.value(operand))]
