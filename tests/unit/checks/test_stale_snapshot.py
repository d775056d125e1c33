"""E0101 and W0102: what is refuted, with which inputs, and what is proven by what."""

from __future__ import annotations

import pytest

from tests.unit.checks.checking import (
    CONSTANTS,
    MARK,
    PART,
    ROW,
    check,
    codes,
    finding,
    function,
    verdict,
)

LOW = f"""
  %cast = memref.cast %m : {ROW} to {PART}
  %lo = memref.subview %cast[%c0] [%c4] [1] : {PART} to {PART}
"""
STORE_LOW = f"memref.store %f, %lo[%c0] : {PART}"
STORE = f"memref.store %f, %m[%c0] : {ROW}"
LOAD = f"%x = memref.load %m[%c0] : {ROW}\nmemref.store %x, %m[%c1] : {ROW}"


def with_low(*body: str, more: str = "") -> str:
    """A loop that captures %m and a view of its first elements."""
    return function(f"%m: {ROW}{more}", LOW, "\n".join(body))


def halves(second: str) -> str:
    """A loop on two parts of a buffer of unknown size; the second starts at `second`."""
    return function(
        "%m: memref<?xf32>, %k: index",
        f"""
  %k1 = arith.subi %k, %c1 : index
  %cast = memref.cast %m : memref<?xf32> to {PART}
  %a = memref.subview %cast[%c0] [%k] [1] : {PART} to {PART}
  %b = memref.subview %cast[{second}] [%k] [1] : {PART} to {PART}""",
        f"""
  memref.store %f, %a[%i] : {PART}
  %x = memref.load %b[%i] : {PART}
  memref.store %x, %b[%i] : {PART}""",
    )


TWO_ARGUMENTS = function(
    f"%a: {ROW}, %b: {ROW}",
    "",
    f"memref.store %f, %a[%c4] : {ROW}\n%x = memref.load %b[%c0] : {ROW}\n"
    f"memref.store %x, %b[%c1] : {ROW}",
)


def swapped(read: str) -> str:
    """A loop that swaps two buffers and reads `read`."""
    return (
        f"func.func @f(%m: {ROW}, %o: {ROW}, %n: index) {{{CONSTANTS}\n"
        f"%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %b = %o) -> ({ROW}, {ROW})"
        f" {{\nmemref.store %f, %a[%c0] : {ROW}\n%x = memref.load {read}[%c0] : {ROW}\n"
        f"memref.store %x, {read}[%c1] : {ROW}\nscf.yield %b, %a : {ROW}, {ROW}\n}} {MARK}\n"
        "return\n}"
    )


def after_blocks(body: str) -> str:
    """A checkpointed loop behind a loop made of blocks."""
    return f"""func.func @f(%m: {ROW}, %n: index) {{{CONSTANTS}{LOW}
  cf.br ^head(%c0 : index)
^head(%a: index):
  %more = arith.cmpi slt, %a, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  memref.store %f, %m[%c2] : {ROW}
  %next = arith.addi %a, %c1 : index
  cf.br ^head(%next : index)
^done:
  scf.for %i = %c0 to %n step %c1 {{
    {body}
  }} {MARK}
  return
}}"""


def test_a_read_through_another_capture_is_refuted_by_the_smallest_input() -> None:
    found = finding(with_low(STORE_LOW, LOAD), "E0101").counterexample

    assert found is not None
    assert found.inputs == {"%n": 1}
    assert found.iterations == {"replay from": 0, "read": 0, "write": 0}
    assert [(a["capture"], a["kind"], a["bytes"]) for a in found.accesses] == [
        ("%lo", "write", [0, 4]),
        ("%m", "read", [0, 4]),
    ]


def test_a_write_in_between_through_the_reading_capture_leaves_a_warning() -> None:
    assert codes(with_low(STORE_LOW, STORE, LOAD)) == ["W0102"]


def test_a_write_in_between_that_may_be_skipped_is_no_help() -> None:
    text = with_low(STORE_LOW, f"scf.if %c {{\n{STORE}\n}}", LOAD, more=", %c: i1")
    found = finding(text, "E0101").counterexample

    assert found is not None
    assert found.inputs == {"%c": False, "%n": 1}


def test_a_write_in_between_in_an_inner_loop_that_may_not_run_is_no_help() -> None:
    inner = f"scf.for %j = %c1 to %n step %c1 {{\n{STORE}\n}}"

    assert codes(with_low(STORE_LOW, inner, LOAD)) == ["E0101"]


def test_a_write_before_the_other_write_is_no_help() -> None:
    assert codes(with_low(STORE, STORE_LOW.replace("%f", "%g"), LOAD)) == ["E0101"]


def test_sibling_loops_do_not_share_their_snapshots() -> None:
    text = with_low(STORE_LOW).replace(
        "return", f"scf.for %j = %c0 to %n step %c1 {{\n{LOAD}\n}} {MARK}\nreturn"
    )

    assert codes(text) == []


def test_halves_of_unknown_size_are_kept_apart_by_their_windows() -> None:
    result = check(halves("%k"))

    assert result.verdict.value == "proven"
    found = [(p.decider, p.count) for p in result.proof if p.check == "stale-snapshot"]
    assert found == [("window", 1)]


def test_parts_of_unknown_size_that_share_an_element_are_refuted() -> None:
    found = finding(halves("%k1"), "E0101").counterexample

    assert found is not None
    assert found.inputs == {"sizes of %m": [1], "%k": 1, "%n": 1}


def test_arguments_are_apart_by_an_assumption_that_is_told() -> None:
    result = check(TWO_ARGUMENTS)

    assert result.verdict.value == "proven"
    assert "N0001" in [d.code for d in result.diagnostics]


def test_arguments_that_may_overlap_are_placed_so_that_they_do() -> None:
    found = finding(TWO_ARGUMENTS, "E0101", arguments="may-alias").counterexample

    assert found is not None
    places = found.inputs
    assert places["address of %b"] - places["address of %a"] == 16


def test_distinct_objects_are_apart_even_where_arguments_may_overlap() -> None:
    text = TWO_ARGUMENTS.replace("%a: ", "%p: ").replace("%b: ", "%q: ")
    marks = f"%d:2 = memref.distinct_objects %p, %q : {ROW}, {ROW}\n"
    text = (
        text.replace("scf.for", f"{marks}scf.for").replace("%a[", "%d#0[").replace("%b[", "%d#1[")
    )

    assert verdict(text, arguments="may-alias") == "proven"


def test_distinct_objects_says_nothing_about_its_operands() -> None:
    marks = f"%d:2 = memref.distinct_objects %a, %b : {ROW}, {ROW}\nscf.for"

    assert verdict(TWO_ARGUMENTS.replace("scf.for", marks), arguments="may-alias") != "proven"


def test_a_buffer_that_is_captured_and_carried_is_snapshotted_twice() -> None:
    assert codes(swapped("%m")) == ["E0101"]


def test_buffers_that_a_loop_only_swaps_are_not_refuted() -> None:
    assert "E0101" not in codes(swapped("%b"))


@pytest.mark.parametrize(("read", "expected"), [("%c4", ["W0102"]), ("%c0", ["E0101"])])
def test_a_loop_behind_blocks_in_a_cycle_is_judged(read: str, expected: list[str]) -> None:
    body = f"{STORE_LOW}\n%x = memref.load %m[{read}] : {ROW}\nmemref.store %x, %m[{read}] : {ROW}"

    assert codes(after_blocks(body)) == expected
