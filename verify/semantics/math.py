"""The `math` dialect, and the float half of `arith`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from verify.ir.names import op_name
from verify.semantics import floats
from verify.semantics.machine import Machine, Value, rule

_MATH = [
    n
    for n in [*floats.UNARY, *floats.BINARY, "fma"]
    if not n.endswith("f") or n in ("absf", "powf")
]
_ARITH = [n for n in [*floats.BINARY, "negf"] if n.endswith("f") and n != "powf"]


@rule(*floats.rules("math", _MATH), *floats.rules("arith", _ARITH))
def float_op(m: Machine, op: Operation) -> Sequence[Value]:
    return [floats.compute(m, op, op_name(op).partition(".")[2])]


@rule("arith.cmpf")
def cmpf(m: Machine, op: Operation) -> Sequence[Value]:
    return [floats.comparison(m, op)]


@rule("arith.extf", "arith.truncf", "arith.sitofp", "arith.fptosi")
def convert(m: Machine, op: Operation) -> Sequence[Value]:
    return [floats.conversion(m, op)]


@rule("arith.uitofp", "arith.fptoui")
def convert_unsigned(m: Machine, op: Operation) -> Sequence[Value]:
    return [floats.conversion(m, op, is_unsigned=True)]


@rule("math.isnan", "math.isinf", "math.isfinite")
def classify(m: Machine, op: Operation) -> Sequence[Value]:
    if not floats.is_scalar_float(op.operands[0].type):
        return [m.unknown(op, op.results[0].type)]
    formula = floats.CLASSES[op_name(op).partition(".")[2]]
    return [m.compute(op, formula, [m.value(op.operands[0])])]
