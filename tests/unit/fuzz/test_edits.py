"""Edits of the corpus stay valid, and every kind of them does something.

`VERIFY_IR_PROGRAMS=2000 pytest --timeout=0 tests/unit/fuzz/test_edits.py` makes more of them.
"""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import pytest
from xdsl.ir import Operation

from fuzz import edit_flow, edit_views
from fuzz.edit_places import run_of, values_before
from fuzz.edits import KINDS, edited
from verify.ir.frontend import has_bindings, read_text
from verify.ir.names import op_name, symbol_name
from verify.ir.printing import to_generic_text
from verify.ir.source import SourceText, split_source

ROOT = Path(__file__).parents[3]
PROGRAMS = int(os.environ.get("VERIFY_IR_PROGRAMS", "150"))
INVALID = 0.02
MIXED = """
module attributes {gpu.container_module} {
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %n: index, %x: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %a[1, 0] [2, 4] [1, 1]
    : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  %m = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %y = memref.load %s[%c0, %c1] : memref<2x4xf32, strided<[4, 1], offset: 4>>
    memref.store %y, %m[%c0, %c1] : memref<4x4xf32>
  }
  %t = gpu.wait async
  %u = gpu.memset async [%t] %b, %x : memref<4x4xf32>, f32
  gpu.wait [%u]
  memref.dealloc %m : memref<4x4xf32>
  return
}
}
"""
BLOCKS = """
func.func @f(%c: i1, %n: index) {
  %0 = arith.constant 0 : index
  cf.cond_br %c, ^a, ^b
^a:
  %1 = arith.addi %0, %n : index
  cf.br ^d
^b:
  %2 = arith.addi %n, %n : index
  cf.br ^d
^d:
  %3 = arith.subi %n, %0 : index
  return
}
"""

pytestmark = pytest.mark.skipif(
    not has_bindings(), reason="MLIR's Python bindings are not installed"
)


@cache
def corpus() -> list[str]:
    """The programs of the corpus that can be read."""
    found: list[str] = []
    for path in sorted((ROOT / "corpus").rglob("*.mlir")):
        chunks = split_source(SourceText(str(path), path.read_text()))
        found += [chunk for chunk in chunks if read_text(chunk).module is not None]
    return found


def ops_of(text: str) -> tuple[Operation, list[Operation]]:
    module = read_text(text).module
    assert module is not None
    return module, [o for o in module.walk() if o.parent is not None and symbol_name(o) is None]


def test_edited_programs_are_valid() -> None:
    draw = random.Random(5)
    invalid: list[str] = []
    for _ in range(PROGRAMS):
        text, seed = draw.choice(corpus()), draw.randrange(1 << 30)
        result = read_text(edited(text, seed, draw.choice([1, 1, 2, 3, 5])))
        invalid += [error.message for error in result.errors[:1]]

    assert len(invalid) <= INVALID * PROGRAMS, invalid


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_edit_changes_a_program_and_keeps_it_valid(kind: object) -> None:
    assert callable(kind)
    before = to_generic_text(ops_of(MIXED)[0], locations=False)
    changed: set[str] = set()
    for seed in range(20):
        module, ops = ops_of(MIXED)
        kind(random.Random(seed), ops)
        changed.add(to_generic_text(module, locations=False))

    assert changed - {before}
    assert all(() == read_text(text).errors for text in changed)


def test_values_of_a_block_that_may_not_have_run_cannot_be_used() -> None:
    _, ops = ops_of(BLOCKS)
    names = {op: op_name(op) for op in ops}
    (last,) = [op for op, name in names.items() if name == "arith.subi"]

    found = [v.name_hint for v in values_before(last)]
    assert {"0", "c", "n"} >= {name for name in found if name}
    assert 3 == len(found)


def test_a_run_ends_before_a_value_that_others_use() -> None:
    _, ops = ops_of(MIXED)
    (load,) = [op for op in ops if op_name(op) == "memref.load"]

    assert [] == run_of(load, 1)
    assert 2 == len(run_of(load, 2))


def test_a_window_that_moves_keeps_its_type_true() -> None:
    module, ops = ops_of(MIXED)
    for seed in range(30):
        edit_views.other_window(random.Random(seed), ops)
        ops = [o for o in module.walk() if o.parent is not None]

    assert () == read_text(to_generic_text(module, locations=False)).errors


def test_a_token_less_is_a_conflict_more() -> None:
    module, ops = ops_of(MIXED)
    edit_flow.without_token(random.Random(1), ops)
    (memset,) = [o for o in module.walk() if op_name(o) == "gpu.memset"]

    assert 2 == len(memset.operands)
