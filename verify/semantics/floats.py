"""Floating-point ops of `arith`, `math` and `llvm`: computed by NumPy, opaque to proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation

from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.arith import as_float, predicate_of, scalar_bits
from verify.semantics.machine import Machine, Value
from verify.semantics.rounding import fused, nearest
from verify.semantics.types import Element, UnsupportedError, element_of, is_memref

Float: TypeAlias = "Any"


def _maximum(a: Float, b: Float) -> Float:
    """A NaN wins, and +0.0 is larger than -0.0."""
    return a + b if a == 0 == b else np.maximum(a, b)


def _minimum(a: Float, b: Float) -> Float:
    """A NaN wins, and -0.0 is smaller than +0.0."""
    return -(-a - b) if a == 0 == b else np.minimum(a, b)


BINARY: dict[str, Callable[[Float, Float], Float]] = {
    "addf": lambda a, b: a + b,
    "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b,
    "divf": np.divide,
    "remf": np.fmod,
    "maximumf": _maximum,
    "minimumf": _minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
    "powf": np.power,
    "atan2": np.arctan2,
    "copysign": np.copysign,
}

UNARY: dict[str, Callable[[Float], Float]] = {
    "negf": lambda a: -a,
    "absf": np.abs,
    "sqrt": np.sqrt,
    "rsqrt": lambda a: type(a)(1) / np.sqrt(a),
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "cbrt": np.cbrt,
    "ceil": np.ceil,
    "floor": np.floor,
    "trunc": np.trunc,
    "roundeven": np.rint,
}

ALIASES = {
    "fadd": "addf",
    "fsub": "subf",
    "fmul": "mulf",
    "fdiv": "divf",
    "frem": "remf",
    "fneg": "negf",
    "intr.fabs": "absf",
    "intr.sqrt": "sqrt",
    "intr.exp": "exp",
    "intr.log": "log",
    "intr.sin": "sin",
    "intr.cos": "cos",
    "intr.pow": "powf",
    "intr.maxnum": "maxnumf",
    "intr.minnum": "minnumf",
    "intr.copysign": "copysign",
}


def compute(m: Machine, op: Operation, name: str) -> Value:
    """The result of float op `name` (its name without the dialect)."""
    kind = op.results[0].type
    values = [m.value(v) for v in op.operands]
    function = _function(ALIASES.get(name, name), kind, len(values))
    if function is None:
        return m.unknown(op, kind)
    return m.compute(op, function, values)


def _function(name: str, kind: Attribute, count: int) -> Callable[..., Float] | None:
    if not is_scalar_float(kind):
        return None
    if name == "fma" and count == 3:
        element = element_of(kind)
        return lambda *values: fused(values, element)
    plain = BINARY.get(name) if count == 2 else UNARY.get(name) if count == 1 else None
    return None if plain is None else _rounded(plain, kind)


def _rounded(function: Callable[..., Float], kind: Attribute) -> Callable[..., Float]:
    element = element_of(kind)

    def run(*values: Float) -> Float:
        with np.errstate(all="ignore"):
            return as_float(function(*values), element)

    return run


def is_scalar_float(kind: Attribute) -> bool:
    """Whether `kind` is one of the float types that NumPy computes."""
    if is_memref(kind) or scalar_bits(kind) is not None:
        return False
    try:
        return element_of(kind).kind == "float"
    except UnsupportedError:
        return False


_COMPARISONS: dict[int, Callable[[Float, Float], bool]] = {
    1: lambda a, b: bool(a == b),
    2: lambda a, b: bool(a > b),
    3: lambda a, b: bool(a >= b),
    4: lambda a, b: bool(a < b),
    5: lambda a, b: bool(a <= b),
    6: lambda a, b: bool(a < b or a > b),
}


def compare(predicate: int, a: Float, b: Float) -> bool:
    """`cmpf` with MLIR's predicate numbers: 0 false, 1-7 ordered, 8-14 unordered, 15 true."""
    if predicate in (0, 15):
        return predicate == 15
    is_nan = bool(np.isnan(a) or np.isnan(b))
    if predicate in (7, 14):
        return is_nan is (predicate == 14)
    if predicate < 7:
        return not is_nan and _COMPARISONS[predicate](a, b)
    return is_nan or _COMPARISONS[predicate - 7](a, b)


def comparison(m: Machine, op: Operation) -> Value:
    """`cmpf` and `fcmp`."""
    if not is_scalar_float(op.operands[0].type):
        return m.unknown(op, op.results[0].type)
    predicate = predicate_of(op)
    return m.compute(op, lambda a, b: compare(predicate, a, b), [m.value(v) for v in op.operands])


def conversion(m: Machine, op: Operation, *, is_unsigned: bool = False) -> Value:
    """Between float types, and between floats and integers; `is_unsigned` is of the integer."""
    source, target = op.operands[0].type, op.results[0].type
    if is_scalar_float(source) and is_scalar_float(target):
        wanted = element_of(target)
        return m.compute(op, lambda a: _resized(a, wanted), [m.value(op.operands[0])])
    if is_scalar_float(target) and (bits := scalar_bits(source)) is not None:
        element = element_of(target)
        return m.compute(
            op,
            lambda a: nearest(Fraction(_whole(a, bits, is_unsigned=is_unsigned)), element),
            [m.value(op.operands[0])],
        )
    if is_scalar_float(source) and (bits := scalar_bits(target)) is not None and bits > 1:
        return m.compute(
            op,
            lambda a: _to_integer(a, bits, is_unsigned=is_unsigned),
            [m.value(op.operands[0])],
        )
    return m.unknown(op, target)


def _resized(a: Float, wanted: Element) -> Float:
    with np.errstate(all="ignore"):
        if wanted.name == "bf16" and np.isfinite(a):
            return nearest(Fraction(float(a)), wanted) if a else as_float(a, wanted)
        return as_float(a, wanted)


def _whole(a: Any, bits: int, *, is_unsigned: bool) -> int:
    number = -int(a) if isinstance(a, bool) and not is_unsigned else int(a)
    return number % (1 << bits) if is_unsigned else number


def _to_integer(a: Float, bits: int, *, is_unsigned: bool) -> int:
    """Rounded towards zero; a number that does not fit the type gives poison."""
    low, high = (0, 1 << bits) if is_unsigned else (-(1 << (bits - 1)), 1 << (bits - 1))
    if not np.isfinite(a) or not low <= int(a) < high:
        raise UndefinedBehaviourError(f"{a} as an integer of {bits} bits")
    half = 1 << (bits - 1)
    return (int(a) + half) % (1 << bits) - half


def is_float_op(name: str) -> bool:
    """Whether `compute` knows `name`."""
    plain = ALIASES.get(name, name)
    return plain in BINARY or plain in UNARY or plain == "fma"


def rules(dialect: str, names: Sequence[str]) -> list[str]:
    """The full names of float ops in `dialect`."""
    return [f"{dialect}.{name}" for name in names]


def integer_type(kind: Attribute) -> bool:
    """Whether `kind` is a builtin integer type."""
    return isinstance(kind, builtin.IntegerType)
