"""What nothing depends on makes no difference; what something depends on does."""

from __future__ import annotations

import pytest

from tests.unit.refine.pairs import outcome, pair

CARRIED = """
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (f32, f32) {
    memref.store %a, %w[%c1] : memref<8xf32>
    %c = arith.addf %b, %x : f32
    scf.yield %y, %c : f32, f32
  }
  %r = arith.addf %x, %y : f32"""
WITHOUT = """
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
    memref.store %a, %w[%c1] : memref<8xf32>
    scf.yield %y : f32
  }
  %r = arith.addf %x, %y : f32"""
CHOSEN = """
  %s:2 = scf.if %p -> (f32, f32) {
    memref.store %x, %w[%c0] : memref<8xf32>
    scf.yield %x, %y : f32, f32
  } else {
    scf.yield %y, %x : f32, f32
  }
  %r = arith.addf %s#0, %y : f32"""
ENDLESS = """
  %s = scf.while (%i = %k) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %j = arith.muli %i, %c2 : index
    scf.yield %j : index
  }
  %r = arith.addf %x, %y : f32"""
SUM = "%r = arith.addf %x, %y : f32"


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (CARRIED, WITHOUT),
        (WITHOUT, CARRIED),
        (CHOSEN, CHOSEN.replace("scf.yield %x, %y", "scf.yield %x, %x")),
        (ENDLESS, SUM),
    ],
    ids=["left out", "added", "another result of a branch", "a loop that may not end"],
)
def test_what_nothing_depends_on_does_not_count(source: str, target: str) -> None:
    assert "proven" == outcome(*pair(source, target))


@pytest.mark.parametrize(
    ("source", "target", "verdict"),
    [
        (CARRIED, CARRIED.replace("%y, %c", "%c, %y"), "refuted E0302"),
        (CHOSEN, CHOSEN.replace("scf.yield %x, %y", "scf.yield %y, %y"), "refuted E0302"),
        (SUM, ENDLESS, "undecided U0003"),
        (ENDLESS, ENDLESS.replace("= %k)", "= %n)"), "undecided U0003"),
    ],
    ids=["handed on", "the result that counts", "a new loop", "a loop from elsewhere"],
)
def test_what_something_depends_on_counts(source: str, target: str, verdict: str) -> None:
    assert verdict == outcome(*pair(source, target))
