"""Calls in a checkpointed loop: followed, refused, or believed."""

from __future__ import annotations

from tests.unit.checks.checking import ROW, check, codes, finding, function

CALL = f"func.call @g(%v) : ({ROW}) -> ()"
LOAD = f"%x = memref.load %m[%c0] : {ROW}\nmemref.store %x, %m[%c1] : {ROW}"
TWIN = f"%v = memref.subview %m[0] [8] [1] : {ROW} to {ROW}"
FILL = f"""
func.func private @g(%a: {ROW}) {{
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  memref.store %f, %a[%c0] : {ROW}
  return
}}"""


def calling(callee: str, *body: str) -> str:
    """A loop that calls @g on a view of %m."""
    return function(f"%m: {ROW}", TWIN, "\n".join([CALL, *body]), module=callee)


def test_a_callee_with_a_body_is_followed() -> None:
    found = finding(calling(FILL, LOAD), "E0101")

    assert found.counterexample is not None
    assert found.counterexample.inputs == {"%n": 1}


def test_a_callee_that_calls_itself_is_not_followed() -> None:
    again = FILL.replace("  return", f"  func.call @g(%a) : ({ROW}) -> ()\n  return")

    assert set(codes(calling(again))) == {"U0002"}


def test_a_callee_without_a_body_may_do_anything() -> None:
    assert set(codes(calling(f"func.func private @g({ROW})", LOAD))) == {"U0002"}


def test_stated_effects_are_believed_and_told() -> None:
    stated = 'attributes {enzymexla.memory_effects = ["read"]}'
    result = check(calling(f"func.func private @g({ROW}) {stated}"))

    assert result.verdict.value == "proven"
    assert [d.message for d in result.diagnostics if d.code == "N0003"] == [
        "the attribute `enzymexla.memory_effects` is believed"
    ]
