"""Integer ops of `arith` and `llvm` against plain arithmetic and against their own terms."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance import oracle
from tests.conformance.carriers import (
    Program,
    coverage,
    examples,
    precision,
    programs,
    run_concretely,
    scalars,
)
from tests.conformance.operands import WIDTHS, integers
from verify.semantics.llvm import INTEGER

KINDS = ["i8", "i16", "i32", "i64", "index"]
SHIFTS = {"shli", "shrsi", "shrui"}
NO_I1 = {*SHIFTS, "divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"}
FREE = {"divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"}
"""Ops whose terms are exact only when the second operand is a constant."""

CONSTANTS = [1, 2, 3, 7, 16, -1, -3, 100]
LLVM_NAMES = {arith: llvm for llvm, arith in INTEGER.items()}
CASTS = [
    (name, a, b)
    for name in ("extsi", "extui", "trunci", "index_cast", "index_castui")
    for a in WIDTHS
    for b in WIDTHS
    if ("index" in (a, b)) == name.startswith("index") and a != b
    if name.startswith("index") or (WIDTHS[a] > WIDTHS[b]) == (name == "trunci")
    if a != "i1" or name != "index_castui" or b == "index"
]


def _binary_text(name: str, kind: str) -> str:
    spelled = f"arith.{name} %a, %b : {kind}"
    text = (
        f"func.func @{name}_{kind}(%a: {kind}, %b: {kind}) -> {kind} {{\n"
        f"  %r = {spelled}\n  return %r : {kind}\n}}\n"
    )
    for i, c in enumerate(CONSTANTS):
        text += (
            f"func.func @{name}_{kind}_by_{i}(%a: {kind}) -> {kind} {{\n"
            f"  %b = arith.constant {c} : {kind}\n  %r = {spelled}\n  return %r : {kind}\n}}\n"
        )
    return text


@cache
def binary_programs(name: str) -> dict[str, Program]:
    """An op on two free operands and on one free and one constant operand, in each type."""
    return programs("".join(_binary_text(name, kind) for kind in KINDS))


@pytest.mark.parametrize("name", oracle.BINARY)
def test_an_integer_op_computes_what_arith_documents_and_its_terms_cover_it(name: str) -> None:
    @examples(40)
    @given(st.data(), st.sampled_from(KINDS))
    def check(data: st.DataObject, kind: str) -> None:
        bits = WIDTHS[kind]
        a, b = data.draw(integers(bits)), data.draw(integers(bits))
        if name in SHIFTS and data.draw(st.booleans()):
            b %= bits
        expected = oracle.binary(name, a, b, bits)
        if expected is None or (name in SHIFTS and not 0 <= b < bits):
            return
        program = binary_programs(name)[f"{name}_{kind}"]
        arguments, results = run_concretely(program, scalars(a, b))

        assert [expected] == list(results)
        assert coverage(program, arguments, results) == ["sat"]
        if name not in FREE | SHIFTS | {"andi", "ori", "xori"}:
            assert precision(program, arguments, results) == ["unsat"]

    check()


@pytest.mark.parametrize("name", oracle.BINARY)
def test_an_integer_op_with_a_constant_is_exact(name: str) -> None:
    @examples(30)
    @given(st.data(), st.sampled_from(KINDS), st.sampled_from(range(len(CONSTANTS))))
    def check(data: st.DataObject, kind: str, constant: int) -> None:
        bits, b = WIDTHS[kind], CONSTANTS[constant]
        a = data.draw(integers(bits))
        expected = oracle.binary(name, a, b, bits)
        if expected is None or (name in SHIFTS and not 0 <= b < bits):
            return
        program = binary_programs(name)[f"{name}_{kind}_by_{constant}"]
        arguments, results = run_concretely(program, scalars(a))

        assert [expected] == list(results)
        assert coverage(program, arguments, results) == ["sat"]
        if name not in ("ori", "xori") and (name != "andi" or b in (1, 3, 7)):
            assert precision(program, arguments, results) == ["unsat"]

    check()


@cache
def comparison_programs() -> dict[str, Program]:
    """Every comparison in every type."""
    return programs(
        "".join(
            f"func.func @{p}_{k}(%a: {k}, %b: {k}) -> i1 {{\n"
            f"  %r = arith.cmpi {p}, %a, %b : {k}\n  return %r : i1\n}}\n"
            for p in oracle.PREDICATES
            for k in WIDTHS
        )
    )


@examples(250)
@given(st.data(), st.sampled_from([*oracle.PREDICATES]), st.sampled_from([*WIDTHS]))
def test_a_comparison_is_exact(data: st.DataObject, predicate: str, kind: str) -> None:
    bits = WIDTHS[kind]
    a = data.draw(integers(bits))
    b = data.draw(st.one_of(st.just(a), integers(bits)))
    program = comparison_programs()[f"{predicate}_{kind}"]
    arguments, results = run_concretely(program, scalars(a, b))

    assert [oracle.compare(predicate, a, b, bits)] == list(results)
    assert coverage(program, arguments, results) == ["sat"]
    assert precision(program, arguments, results) == ["unsat"]


@cache
def cast_programs() -> dict[str, Program]:
    """Every cast between every two widths that it allows."""
    return programs(
        "".join(
            f"func.func @{name}_{a}_{b}(%a: {a}) -> {b} {{\n"
            f"  %r = arith.{name} %a : {a} to {b}\n  return %r : {b}\n}}\n"
            for name, a, b in CASTS
        )
    )


@examples(250)
@given(st.data(), st.sampled_from(CASTS))
def test_a_cast_is_exact(data: st.DataObject, cast: tuple[str, str, str]) -> None:
    name, source, target = cast
    a = data.draw(integers(WIDTHS[source]))
    program = cast_programs()[f"{name}_{source}_{target}"]
    arguments, results = run_concretely(program, scalars(a))

    expected = oracle.cast(name, a, WIDTHS[source], WIDTHS[target])
    assert [expected] == [-int(r) if isinstance(r, bool) else r for r in results]
    assert coverage(program, arguments, results) == ["sat"]
    assert precision(program, arguments, results) == ["unsat"]


@cache
def truth_programs() -> dict[str, Program]:
    """The integer ops on single bits."""
    return programs(
        "".join(
            f"func.func @{name}(%a: i1, %b: i1) -> i1 {{\n"
            f"  %r = arith.{name} %a, %b : i1\n  return %r : i1\n}}\n"
            for name in oracle.BINARY
            if name not in NO_I1
        )
    )


@pytest.mark.parametrize("name", [n for n in oracle.BINARY if n not in NO_I1])
def test_an_integer_op_on_single_bits_is_exact(name: str) -> None:
    program = truth_programs()[name]
    for a in (0, -1):
        for b in (0, -1):
            arguments, results = run_concretely(program, scalars(a, b))

            assert [oracle.binary(name, a, b, 1) == -1] == list(results)
            assert coverage(program, arguments, results) == ["sat"]
            assert precision(program, arguments, results) == ["unsat"]


@cache
def llvm_programs() -> dict[str, Program]:
    """The integer ops of the `llvm` dialect that have a twin in `arith`."""
    text = ""
    for arith, name in LLVM_NAMES.items():
        for kind in ("i8", "i32", "i64"):
            types = f"({kind}, {kind}) -> {kind}"
            text += (
                f"llvm.func @{arith}_{kind}(%a: {kind}, %b: {kind}) -> {kind} {{\n"
                f'  %r = "llvm.{name}"(%a, %b) : {types}\n  llvm.return %r : {kind}\n}}\n'
            )
    return programs(text)


@examples(200)
@given(st.data(), st.sampled_from([*LLVM_NAMES]), st.sampled_from(["i8", "i32", "i64"]))
def test_an_llvm_integer_op_means_what_its_arith_twin_means(
    data: st.DataObject, name: str, kind: str
) -> None:
    bits = WIDTHS[kind]
    a, b = data.draw(integers(bits)), data.draw(integers(bits))
    expected = oracle.binary(name, a, b, bits)
    if expected is None or (name in SHIFTS and not 0 <= b < bits):
        return
    program = llvm_programs()[f"{name}_{kind}"]
    arguments, results = run_concretely(program, scalars(a, b))

    assert [expected] == list(results)
    assert coverage(program, arguments, results) == ["sat"]
