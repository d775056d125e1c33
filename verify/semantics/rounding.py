"""Exact numbers as floats: rounded once, to the nearest, ties to even, as IEEE 754 has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.semantics.types import Element, UnsupportedError

# Digits of the significand, and the least and the largest exponent of a normal number.
_FORMATS = {
    "f16": (11, -14, 15),
    "bf16": (8, -126, 127),
    "f32": (24, -126, 127),
    "f64": (53, -1022, 1023),
}
_KINDS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": np.float32,
    "f32": np.float32,
    "f64": np.float64,
}


def nearest(value: Fraction, element: Element) -> Any:
    """The float of a type that is nearest to a number; a `bf16` is kept as an f32."""
    if element.name not in _FORMATS:
        raise UnsupportedError(f"arithmetic on {element.name}")
    digits, least, largest = _FORMATS[element.name]
    if value == 0:
        return _KINDS[element.name](0)
    unit = Fraction(2) ** (max(_exponent(abs(value)), least) - digits + 1)
    rounded = round(value / unit) * unit
    sign = -1.0 if value < 0 else 1.0
    if abs(rounded) >= Fraction(2) ** (largest + 1):
        return _KINDS[element.name](math.copysign(math.inf, sign))
    return _KINDS[element.name](math.copysign(float(rounded), sign))


def _exponent(value: Fraction) -> int:
    """The power of two that is at most `value`, which is positive."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def fused(values: Sequence[Any], element: Element) -> Any:
    """`a * b + c` with a single rounding."""
    a, b, c = (float(v) for v in values)
    if not all(map(math.isfinite, (a, b, c))):
        # Infinities and NaNs; a finite product counts for its sign alone.
        with np.errstate(all="ignore"):
            product = np.float64(a) * np.float64(b)
            if math.isfinite(a) and math.isfinite(b):
                product = np.float64(0)
            return _KINDS[element.name](product + np.float64(c))
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return nearest(exact, element)
    return _KINDS[element.name](a * b + c if 0 in (a, b) else 0.0)
