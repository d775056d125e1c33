"""Floats of each width: how a value is rounded to one, in NumPy and as C text.

A `bf16` is kept in an `f32` that holds it exactly; in C an `f16` is too. What a rounding passes
through on its way is rounded *to odd* there (an inexact result takes the odd one of its two
neighbours), so that the last step rounds as if it were the only one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verify.semantics.types import Element, UnsupportedError

_EXACT_INTEGERS = 1 << 53


@dataclass(frozen=True, slots=True)
class Formula:
    """A pure result of operands: `run` computes it, `text` writes it in C.

    An integer operand is a signed 64-bit number in C, an `i1` 0 or -1. Two right results differ
    by at most `ulps` units in the last place: none where IEEE 754 fixes the result.
    """

    run: Callable[..., Any]
    text: Callable[[Sequence[str]], str]
    ulps: int = 0

    def __call__(self, *values: Any) -> Any:
        return self.run(*values)


def as_float(value: Any, element: Element) -> Any:
    """A float or an integer in the precision of `element`, rounded once, ties to even."""
    if isinstance(value, int):
        value = odd_double(value) if element.name != "f64" else float(value)
    with np.errstate(all="ignore"):
        match element.name:
            case "f16":
                return np.float16(value)
            case "f32":
                return np.float32(value)
            case "f64":
                return np.float64(value)
            case "bf16":
                is_wide = isinstance(value, float)
                return round_bf16(narrowed_to_odd(value) if is_wide else np.float32(value))
            case _:
                raise UnsupportedError(f"arithmetic on {element.name}")


def round_bf16(value: np.float32) -> np.float32:
    """To the nearest bfloat16, ties to even; kept as an f32. A NaN stays one."""
    bits = int(np.array(value, np.float32).view(np.uint32))
    if np.isnan(value):
        bits = (bits | 0x400000) & 0xFFFF0000 if bits & 0xFFFF else bits
    elif np.isfinite(value):
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return np.float32(np.array(bits, np.uint32).view(np.float32)[()])


def odd_double(exact: int | Fraction) -> float:
    """A number as a double, rounded to odd."""
    if isinstance(exact, int) and -_EXACT_INTEGERS <= exact <= _EXACT_INTEGERS:
        return float(exact)
    nearest = np.float64(float(exact))
    if Fraction(float(nearest)) == exact or int(nearest.view(np.uint64)) & 1:
        return float(nearest)
    return float(np.nextafter(nearest, np.inf if exact > Fraction(float(nearest)) else -np.inf))


def narrowed_to_odd(value: float) -> np.float32:
    """A double as an `f32`, rounded to odd."""
    with np.errstate(all="ignore"):
        nearest = np.float32(value)
    if np.isnan(value) or np.float64(nearest) == value or int(nearest.view(np.uint32)) & 1:
        return nearest
    return np.nextafter(nearest, np.float32(np.inf if value > float(nearest) else -np.inf))


def literal(value: Any, element: Element) -> str:
    """A constant of type `element` in C."""
    number = float(as_float(value, element))
    suffix = "" if element.name == "f64" else "f"
    if np.isfinite(number):
        return f"{number!r}{suffix}"
    bits = int(np.float64(number).view(np.uint64))
    return f"double_of(0x{bits:016x}ull)" if not suffix else f"(float)double_of(0x{bits:016x}ull)"


def rounded_text(text: str, element: Element) -> str:
    """A `float` or `double` expression rounded to `element`; a `double` only for an `f64`."""
    return f"round_{element.name}({text})" if element.name in ("f16", "bf16") else text


def converted_text(text: str, source: Element, target: Element) -> str:
    """An expression of float type `source` in the precision of `target`."""
    match target.name:
        case "f64":
            return f"(double)({text})"
        case "f32":
            return f"(float)({text})"
        case _:
            return rounded_text(f"narrow_odd({text})" if source.name == "f64" else text, target)


def integer_text(text: str, bits: int, target: Element, *, is_unsigned: bool) -> str:
    """A signed 64-bit expression that holds `bits` bits in the precision of `target`."""
    number = f"low_bits<{bits}>({text})" if is_unsigned else f"(i64)({text})"
    match target.name:
        case "f64":
            return f"(double){number}"
        case "f32":
            return f"(float){number}"
        case _:
            return rounded_text(f"odd_float({number})", target)
