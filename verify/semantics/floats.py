"""Floating-point ops of `arith`, `math` and `llvm`: by NumPy and in C, opaque to proofs.

Each op stands in one table with both. A `bf16` or `f16` op is computed in `f32` and rounded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation

from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.arith import predicate_of, scalar_bits
from verify.semantics.machine import Machine, Value
from verify.semantics.rounding import (
    Formula,
    as_float,
    converted_text,
    integer_text,
    odd_double,
    rounded_text,
)
from verify.semantics.types import Element, UnsupportedError, element_of, is_memref

Float: TypeAlias = "Any"
MATH_ULPS = 8
"""Units in the last place between two good libraries: each is within four of the exact result."""


@dataclass(frozen=True, slots=True)
class Form:
    """A float op: in NumPy, and as C text of its operands `{0}`, `{1}`, ...

    `{f}` in the text is the suffix of functions on `float`. `narrow` is the text for `f16` and
    `bf16` where it differs. For `ulps` see `Formula`.
    """

    run: Callable[..., Float]
    text: str
    ulps: int = 0
    narrow: str = ""


def _library(function: Callable[..., Float], name: str, count: int = 1) -> Form:
    operands = ", ".join(f"{{{i}}}" for i in range(count))
    return Form(function, f"{name}{{f}}({operands})", MATH_ULPS)


def _least(a: Float, b: Float) -> Float:
    """IEEE 754's minimum: a NaN wins, and -0 is less than 0."""
    if np.isnan(a) or np.isnan(b):
        return a + b
    return (a if np.signbit(a) else b) if a == b else min(a, b)


def _greatest(a: Float, b: Float) -> Float:
    """IEEE 754's maximum: a NaN wins, and 0 is more than -0."""
    if np.isnan(a) or np.isnan(b):
        return a + b
    return (b if np.signbit(a) else a) if a == b else max(a, b)


def _away(a: Float) -> Float:
    """To the nearest integer, ties away from zero."""
    down = np.trunc(a)
    return down + np.copysign(type(a)(1), a) if np.abs(a - down) >= 0.5 else down


def _fused(a: Float, b: Float, c: Float) -> Float:
    """`a * b + c`, rounded once."""
    if np.isfinite(a) and np.isfinite(b) and not np.isfinite(c):
        return c  # also where the product alone is too large for the type
    plain = a * b + c
    if not (np.isfinite(a) and np.isfinite(b)):
        return plain
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    if not exact:
        return plain
    if not isinstance(a, np.float64):
        return odd_double(exact)
    try:
        return np.float64(float(exact))
    except OverflowError:
        return np.float64(np.inf if exact > 0 else -np.inf)


BINARY: dict[str, Form] = {
    "addf": Form(operator.add, "{0} + {1}"),
    "subf": Form(operator.sub, "{0} - {1}"),
    "mulf": Form(operator.mul, "{0} * {1}"),
    "divf": Form(np.divide, "{0} / {1}"),
    "remf": Form(np.fmod, "fmod{f}({0}, {1})"),
    "maximumf": Form(_greatest, "greatest({0}, {1})"),
    "minimumf": Form(_least, "least({0}, {1})"),
    "maxnumf": Form(
        lambda a, b: a if np.isnan(b) else b if np.isnan(a) else _greatest(a, b),
        "({1} != {1} ? {0} : {0} != {0} ? {1} : greatest({0}, {1}))",
    ),
    "minnumf": Form(
        lambda a, b: a if np.isnan(b) else b if np.isnan(a) else _least(a, b),
        "({1} != {1} ? {0} : {0} != {0} ? {1} : least({0}, {1}))",
    ),
    "powf": _library(np.power, "pow", 2),
    "atan2": _library(np.arctan2, "atan2", 2),
    "copysign": Form(np.copysign, "copysign{f}({0}, {1})"),
}

UNARY: dict[str, Form] = {
    "negf": Form(operator.neg, "-{0}"),
    "absf": Form(np.abs, "fabs{f}({0})"),
    "sqrt": Form(np.sqrt, "sqrt{f}({0})"),
    "rsqrt": Form(lambda a: type(a)(1) / np.sqrt(a), "1 / sqrt{f}({0})", MATH_ULPS),
    "exp": _library(np.exp, "exp"),
    "exp2": _library(np.exp2, "exp2"),
    "expm1": _library(np.expm1, "expm1"),
    "log": _library(np.log, "log"),
    "log2": _library(np.log2, "log2"),
    "log10": _library(np.log10, "log10"),
    "log1p": _library(np.log1p, "log1p"),
    "sin": _library(np.sin, "sin"),
    "cos": _library(np.cos, "cos"),
    "tan": _library(np.tan, "tan"),
    "asin": _library(np.arcsin, "asin"),
    "acos": _library(np.arccos, "acos"),
    "atan": _library(np.arctan, "atan"),
    "sinh": _library(np.sinh, "sinh"),
    "cosh": _library(np.cosh, "cosh"),
    "tanh": _library(np.tanh, "tanh"),
    "cbrt": _library(np.cbrt, "cbrt"),
    "ceil": Form(np.ceil, "ceil{f}({0})"),
    "floor": Form(np.floor, "floor{f}({0})"),
    "trunc": Form(np.trunc, "trunc{f}({0})"),
    "roundeven": Form(np.rint, "rint{f}({0})"),
    "round": Form(_away, "round{f}({0})"),
}

TERNARY: dict[str, Form] = {
    "fma": Form(_fused, "fma{f}({0}, {1}, {2})", narrow="narrow_odd(fused_odd({0}, {1}, {2}))"),
    # LLVM leaves open whether it rounds once or twice.
    "fmuladd": Form(lambda a, b, c: a * b + c, "{0} * {1} + {2}", ulps=1),
}

_FORMS = {1: UNARY, 2: BINARY, 3: TERNARY}

ALIASES = {
    "fadd": "addf",
    "fsub": "subf",
    "fmul": "mulf",
    "fdiv": "divf",
    "frem": "remf",
    "fneg": "negf",
    "intr.fabs": "absf",
    "intr.sqrt": "sqrt",
    "intr.ceil": "ceil",
    "intr.floor": "floor",
    "intr.trunc": "trunc",
    "intr.round": "round",
    "intr.roundeven": "roundeven",
    "intr.rint": "roundeven",
    "intr.nearbyint": "roundeven",
    "intr.exp": "exp",
    "intr.exp2": "exp2",
    "intr.log": "log",
    "intr.log2": "log2",
    "intr.log10": "log10",
    "intr.tan": "tan",
    "intr.tanh": "tanh",
    "intr.sin": "sin",
    "intr.cos": "cos",
    "intr.pow": "powf",
    "intr.maxnum": "maxnumf",
    "intr.minnum": "minnumf",
    "intr.maximum": "maximumf",
    "intr.minimum": "minimumf",
    "intr.copysign": "copysign",
    "intr.fma": "fma",
    "intr.fmuladd": "fmuladd",
}


def compute(m: Machine, op: Operation, name: str) -> Value:
    """The result of float op `name` (its name without the dialect)."""
    return computed(m, op, name, op.results[0].type, [m.value(v) for v in op.operands])


def computed(
    m: Machine, op: Operation, name: str, kind: Attribute, values: Sequence[Value]
) -> Value:
    """The result of float op `name` on values of type `kind`, which the op's result has as well."""
    formula = _formula(ALIASES.get(name, name), kind, len(values))
    return m.unknown(op, kind) if formula is None else m.compute(op, formula, values)


@cache
def _formula(name: str, kind: Attribute, count: int) -> Formula | None:
    form = _FORMS.get(count, UNARY).get(name)
    if form is None or not is_scalar_float(kind):
        return None
    element = element_of(kind)
    return Formula(_rounded(form.run, element), lambda v: _text(form, v, element), form.ulps)


def _rounded(function: Callable[..., Float], element: Element) -> Callable[..., Float]:
    def run(*values: Float) -> Float:
        with np.errstate(all="ignore"):
            return as_float(function(*values), element)

    return run


def _text(form: Form, operands: Sequence[str], element: Element) -> str:
    if element.name not in ("f16", "bf16", "f32", "f64"):
        raise UnsupportedError(f"arithmetic on {element.name}")
    text = form.narrow if form.narrow and element.bits == 16 else form.text
    return rounded_text(text.format(*operands, f="" if element.name == "f64" else "f"), element)


def is_scalar_float(kind: Attribute) -> bool:
    """Whether `kind` is one of the float types that NumPy computes."""
    if is_memref(kind) or scalar_bits(kind) is not None:
        return False
    try:
        return element_of(kind).kind == "float"
    except UnsupportedError:
        return False


_COMPARISONS: dict[int, tuple[Callable[[Float, Float], Any], str]] = {
    1: (operator.eq, "{0} == {1}"),
    2: (operator.gt, "{0} > {1}"),
    3: (operator.ge, "{0} >= {1}"),
    4: (operator.lt, "{0} < {1}"),
    5: (operator.le, "{0} <= {1}"),
    6: (lambda a, b: a < b or a > b, "({0} < {1} || {0} > {1})"),
    7: (lambda a, b: a == a and b == b, "({0} == {0} && {1} == {1})"),  # noqa: PLR0124 - no NaN
}
_CONSTANT = {0: False, 15: True}


def compare(predicate: int, a: Float, b: Float) -> bool:
    """`cmpf` with MLIR's predicate numbers: 0 false, 1-7 ordered, 8-14 unordered, 15 true."""
    if predicate in _CONSTANT:
        return _CONSTANT[predicate]
    is_nan = bool(np.isnan(a) or np.isnan(b))
    if predicate > 7:
        return is_nan or (predicate < 14 and bool(_COMPARISONS[predicate - 7][0](a, b)))
    return not is_nan and bool(_COMPARISONS[predicate][0](a, b))


def _comparison_text(predicate: int, operands: Sequence[str]) -> str:
    if predicate in _CONSTANT:
        return "true" if _CONSTANT[predicate] else "false"
    if predicate <= 7:
        return _COMPARISONS[predicate][1].format(*operands)
    unordered = f"!{_COMPARISONS[7][1].format(*operands)}"
    if predicate == 14:
        return unordered
    return f"({unordered} || {_COMPARISONS[predicate - 7][1].format(*operands)})"


def comparison(m: Machine, op: Operation) -> Value:
    """`cmpf` and `fcmp`."""
    if not is_scalar_float(op.operands[0].type):
        return m.unknown(op, op.results[0].type)
    return m.compute(op, _comparison(predicate_of(op)), [m.value(v) for v in op.operands])


@cache
def _comparison(predicate: int) -> Formula:
    return Formula(lambda a, b: compare(predicate, a, b), lambda v: _comparison_text(predicate, v))


CLASSES: dict[str, Formula] = {
    "isnan": Formula(lambda a: bool(np.isnan(a)), lambda v: f"{v[0]} != {v[0]}"),
    "isinf": Formula(lambda a: bool(np.isinf(a)), lambda v: f"is_infinite({v[0]})"),
    "isfinite": Formula(lambda a: bool(np.isfinite(a)), lambda v: f"{v[0]} - {v[0]} == 0"),
}


def conversion(m: Machine, op: Operation, *, is_unsigned: bool = False) -> Value:
    """Between float types, and between floats and integers; `is_unsigned` is of the integer."""
    source, target = op.operands[0].type, op.results[0].type
    formula = _conversion(source, target, is_unsigned=is_unsigned)
    if formula is None:
        return m.unknown(op, target)
    return m.compute(op, formula, [m.value(op.operands[0])])


@cache
def _conversion(source: Attribute, target: Attribute, *, is_unsigned: bool) -> Formula | None:
    old, new = scalar_bits(source), scalar_bits(target)
    if is_scalar_float(target) and (is_scalar_float(source) or old is not None):
        to = element_of(target)
        if old is None:
            known = element_of(source)
            return Formula(lambda a: as_float(a, to), lambda v: converted_text(v[0], known, to))
        return Formula(
            lambda a: as_float(_whole(a, old, is_unsigned=is_unsigned), to),
            lambda v: integer_text(v[0], old, to, is_unsigned=is_unsigned),
        )
    if is_scalar_float(source) and new is not None and new > 1:
        return Formula(
            lambda a: _to_integer(a, new, is_unsigned=is_unsigned),
            lambda v: f"wrapped<{new}>(whole({v[0]}))",
        )
    return None


def _whole(a: Any, bits: int, *, is_unsigned: bool) -> int:
    number = -int(a) if isinstance(a, bool) and not is_unsigned else int(a)
    return number % (1 << bits) if is_unsigned else number


def _to_integer(a: Float, bits: int, *, is_unsigned: bool) -> int:
    """Rounded towards zero; a number that does not fit the type gives poison."""
    half = 1 << (bits - 1)
    low, high = (0, 2 * half) if is_unsigned else (-half, half)
    if not np.isfinite(a) or not low <= int(a) < high:
        raise UndefinedBehaviourError(f"{a} as an integer of {bits} bits")
    return (int(a) + half) % (1 << bits) - half


def is_float_op(name: str) -> bool:
    """Whether `compute` knows `name`."""
    plain = ALIASES.get(name, name)
    return any(plain in forms for forms in _FORMS.values())


def rules(dialect: str, names: Sequence[str]) -> list[str]:
    """The full names of float ops in `dialect`."""
    return [f"{dialect}.{name}" for name in names]


def integer_type(kind: Attribute) -> bool:
    """Whether `kind` is a builtin integer type."""
    return isinstance(kind, builtin.IntegerType)
