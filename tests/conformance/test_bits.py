"""Casts and counts of bits, and results of two words, against plain arithmetic."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.carriers import (
    Program,
    coverage,
    examples,
    programs,
    run_concretely,
    scalars,
)
from tests.conformance.operands import WIDTHS, integers
from tests.conformance.oracle import signed
from verify.replay.inputs import Inputs

KINDS = ["i8", "i16", "i32", "i64", "index"]
COUNTS: dict[str, Callable[[int, int], int]] = {
    "ctpop": lambda a, _: sum(a >> k & 1 for k in range(64)),
    "ctlz": lambda a, bits: len(f"{a:0{bits}b}".partition("1")[0]),
    "cttz": lambda a, bits: len(f"{a:0{bits}b}".rpartition("1")[2]) if a else bits,
    "absi": lambda a, bits: abs(signed(a, bits)),
}
WIDE: dict[str, Callable[[int, int, int], tuple[int, int]]] = {
    "addui_extended": lambda a, b, bits: (a + b, (a + b) >> bits),
    "mului_extended": lambda a, b, bits: (a * b, (a * b) >> bits),
    "mulsi_extended": lambda a, b, bits: (
        signed(a, bits) * signed(b, bits),
        (signed(a, bits) * signed(b, bits)) >> bits,
    ),
}


@cache
def counting() -> dict[str, Program]:
    return programs(
        "".join(
            f"func.func @{name}_{k}(%a: {k}) -> {k} {{\n"
            f"  %r = math.{name} %a : {k}\n  return %r : {k}\n}}\n"
            for name in COUNTS
            for k in KINDS
        )
    )


@examples(200)
@given(st.data(), st.sampled_from([*COUNTS]), st.sampled_from(KINDS))
def test_a_count_is_right(data: st.DataObject, name: str, kind: str) -> None:
    bits = WIDTHS[kind]
    a = data.draw(integers(bits))
    program = counting()[f"{name}_{kind}"]

    arguments, results = run_concretely(program, scalars(a))

    assert [signed(COUNTS[name](a % (1 << bits), bits), bits)] == list(results)
    assert ["sat"] == coverage(program, arguments, results)


@cache
def wide() -> dict[str, Program]:
    return programs(
        "".join(
            f"func.func @{name}_{k}(%a: {k}, %b: {k}) -> ({k}, {high(name, k)}) {{\n"
            f"  %r, %h = arith.{name} %a, %b : {k}{', i1' if name[0] == 'a' else ''}\n"
            f"  return %r, %h : {k}, {high(name, k)}\n}}\n"
            for name in WIDE
            for k in KINDS
        )
    )


def high(name: str, kind: str) -> str:
    return "i1" if name == "addui_extended" else kind


@examples(200)
@given(st.data(), st.sampled_from([*WIDE]), st.sampled_from(KINDS))
def test_a_result_of_two_words_is_right(data: st.DataObject, name: str, kind: str) -> None:
    bits = WIDTHS[kind]
    a, b = data.draw(integers(bits)), data.draw(integers(bits))
    program = wide()[f"{name}_{kind}"]

    arguments, results = run_concretely(program, scalars(a, b))

    low, rest = WIDE[name](a % (1 << bits), b % (1 << bits), bits)
    assert [signed(low, bits), signed(rest, bits) if name[0] == "m" else rest == 1] == list(results)
    assert set(coverage(program, arguments, results)) <= {"sat", "unknown"}


FORMATS = {"f16": ("<e", "i16"), "f32": ("<f", "i32"), "f64": ("<d", "i64"), "bf16": ("", "i16")}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_cast_of_bits_keeps_them(kind: str) -> None:
    form, whole = FORMATS[kind]
    bits = WIDTHS[whole]
    text = (
        f"func.func @to(%a: {whole}) -> {kind} {{\n"
        f"  %r = arith.bitcast %a : {whole} to {kind}\n  return %r : {kind}\n}}\n"
        f"func.func @back(%a: {whole}) -> {whole} {{\n"
        f"  %r = arith.bitcast %a : {whole} to {kind}\n"
        f"  %s = llvm.bitcast %r : {kind} to {whole}\n  return %s : {whole}\n}}\n"
    )
    found = programs(text)

    @examples(60)
    @given(integers(bits))
    def check(a: int) -> None:
        (value,) = run_concretely(found["to"], scalars(a))[1]
        (back,) = run_concretely(found["back"], scalars(a))[1]
        expected = float_of(a % (1 << bits), form)

        assert (float(value) == expected) or (np.isnan(value) and np.isnan(expected))
        assert np.isnan(expected) or signed(a, bits) == back

    check()


def float_of(raw: int, form: str) -> Any:
    """The value of some bits; those of a `bf16` are the upper half of an `f32`."""
    if not form:
        return struct.unpack("<f", struct.pack("<I", raw << 16))[0]
    return struct.unpack(form, raw.to_bytes(struct.calcsize(form), "little"))[0]


@pytest.mark.parametrize(
    ("number", "expected"),
    [("2.5", 3.0), ("-2.5", -3.0), ("0.49999997", 0.0), ("-0.5", -1.0), ("8388609.0", 8388609.0)],
)
def test_round_takes_ties_away_from_zero(number: str, expected: float) -> None:
    text = (
        f"func.func @f() -> f32 {{\n  %a = arith.constant {number} : f32\n"
        "  %r = math.round %a : f32\n  return %r : f32\n}\n"
    )

    assert [expected] == list(run_concretely(programs(text)["f"], Inputs(0))[1])
