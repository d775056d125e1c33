"""Floats are rounded once, whatever they pass through."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.carriers import examples
from verify.semantics import floats
from verify.semantics.rounding import as_float, narrowed_to_odd, odd_double, round_bf16
from verify.semantics.types import Element

BF16, F16, F32, F64 = (
    Element(n, "float", b) for n, b in (("bf16", 16), ("f16", 16), ("f32", 32), ("f64", 64))
)
PRECISION = {"bf16": (8, -133), "f16": (11, -24), "f32": (24, -149), "f64": (53, -1074)}
TOP = {"bf16": 127, "f16": 15, "f32": 127, "f64": 1023}


def nearest(exact: Fraction, name: str) -> float:
    """The definition: the nearest multiple of the last place, ties to the even one."""
    if not exact:
        return 0.0
    bits, lowest = PRECISION[name]
    exponent = abs(exact).numerator.bit_length() - abs(exact).denominator.bit_length()
    exponent -= abs(exact) < Fraction(2) ** exponent
    unit = Fraction(2) ** max(exponent - bits + 1, lowest)
    rounded = round(exact / unit) * unit
    if abs(rounded) >= Fraction(2) ** (TOP[name] + 1):
        return float("inf") if exact > 0 else float("-inf")
    return float(rounded)


@pytest.mark.parametrize("element", [BF16, F16, F32, F64], ids=lambda e: e.name)
@examples(200)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_rounded_once(element: Element, value: float) -> None:
    with np.errstate(over="ignore"):
        found = as_float(np.float64(value), element)

    assert nearest(Fraction(value), element.name) == float(found)


@pytest.mark.parametrize("element", [BF16, F16, F32, F64], ids=lambda e: e.name)
@examples(200)
@given(st.integers(-(1 << 63), (1 << 64) - 1) | st.integers(-5000, 5000))
def test_an_integer_is_rounded_once(element: Element, value: int) -> None:
    with np.errstate(over="ignore"):
        found = as_float(value, element)

    assert nearest(Fraction(value), element.name) == float(found)


@pytest.mark.parametrize(
    ("element", "kind"), [(F16, np.float16), (F32, np.float32), (F64, np.float64)]
)
@examples(200)
@given(st.data())
def test_a_fused_operation_is_rounded_once(
    element: Element, kind: Any, data: st.DataObject
) -> None:
    numbers = st.floats(-1000, 1000, width=64 if element is F64 else 32)
    a, b, c = (kind(data.draw(numbers)) for _ in range(3))
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))

    with np.errstate(over="ignore"):
        found = as_float(floats.TERNARY["fma"].run(a, b, c), element)

    assert nearest(exact, element.name) == float(found)


def test_a_fused_operation_does_not_overflow_on_its_way() -> None:
    large, infinity = np.float32(3e38), np.float32(np.inf)

    assert floats.TERNARY["fma"].run(large, large, -infinity) == -infinity


def test_an_integer_on_the_edge_is_not_rounded_twice() -> None:
    assert as_float((1 << 60) + (1 << 36) + 1, F32) == np.float32((1 << 60) + (1 << 37))


def test_what_is_inexact_becomes_odd_on_its_way() -> None:
    assert odd_double((1 << 60) + 1) == float((1 << 60) + (1 << 8))
    assert narrowed_to_odd(1.0 + 2.0**-40) == np.nextafter(np.float32(1), np.float32(2))
    assert narrowed_to_odd(1e300) == np.finfo(np.float32).max
    assert narrowed_to_odd(0.5) == np.float32(0.5)


@pytest.mark.parametrize("bits", [0x7F800001, 0xFFC00001, 0x7FC00000, 0xFF81FFFF])
def test_a_nan_stays_one(bits: int) -> None:
    value = np.float32(np.array(bits, np.uint32).view(np.float32)[()])

    rounded = round_bf16(value)

    assert np.isnan(rounded)
    assert int(rounded.view(np.uint32)) & 0xFFFF == 0


def test_zeros_are_ordered_by_their_sign() -> None:
    zero, minus = np.float32(0.0), np.float32(-0.0)
    least, greatest = floats.BINARY["minimumf"].run, floats.BINARY["maximumf"].run

    assert [True] * 2 == [bool(np.signbit(least(*p))) for p in ((zero, minus), (minus, zero))]
    assert [False] * 2 == [bool(np.signbit(greatest(*p))) for p in ((zero, minus), (minus, zero))]
