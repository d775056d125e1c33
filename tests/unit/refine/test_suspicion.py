"""Differences that only a chosen input shows."""

from __future__ import annotations

import pytest

from tests.unit.refine.pairs import outcome, pair

STORE = """
  %far = arith.constant FAR : index
  %hit = arith.cmpi eq, %k, %far : index
  scf.if %hit {
    memref.store %x, %w[%c0] : memref<8xf32>
  }
  %r = arith.addf %x, %y : f32"""
LOOP = """
  %far = arith.constant FAR : index
  %big = arith.cmpi sgt, %n, %far : index
  %end = arith.select %big, %c2, %c1 : index
  scf.for %i = %c0 to %end step %c1 {
    memref.store %x, %w[%i] : memref<8xf32>
  }
  %r = arith.addf %x, %y : f32"""
PLACE = """
  %far = arith.constant FAR : index
  %hit = arith.cmpi eq, %k, %far : index
  %at = arith.select %hit, %c2, %c1 : index
  memref.store %x, %w[%at] : memref<8xf32>
  %r = arith.addf %x, %y : f32"""
DIVIDED = """
  %far = arith.constant FAR : index
  %d = arith.subi %k, %far : index
  %q = arith.divui %n, %d : index
  %r = arith.addf %x, %y : f32"""


@pytest.mark.parametrize("body", [STORE, LOOP, PLACE, DIVIDED])
@pytest.mark.parametrize("far", [("12345", "12346"), ("99", "4294967395")])
def test_a_difference_at_one_number_is_found(body: str, far: tuple[str, str]) -> None:
    source, target = (body.replace("FAR", number) for number in far)

    assert "refuted E0302" == outcome(*pair(source, target))


def test_what_lies_behind_a_pointer_does_not_depend_on_the_loads_of_one_side() -> None:
    text = """func.func @f(%p: !llvm.ptr, %q: !llvm.ptr, %w: memref<8xf32>, %k: index) {
  %dead = llvm.load %p : !llvm.ptr -> f32
  %c0 = arith.constant 0 : index
  %is = arith.cmpi eq, %k, %c0 : index
  %same = scf.if %is -> (memref<8xf32>) {
    scf.yield %w : memref<8xf32>
  } else {
    scf.yield %w : memref<8xf32>
  }
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    memref.copy %same, %w : memref<8xf32> to memref<8xf32>
  }
  return
}
"""
    lines = text.splitlines(keepends=True)
    without = "".join(line for line in lines if "%dead" not in line and "copy" not in line)

    assert outcome(text, without) != "refuted E0302"
