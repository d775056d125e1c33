"""Functions whose loops and addresses are known, on data that is not."""

from __future__ import annotations

import pytest

from verify.checks.options import CheckOptions
from verify.ir.frontend import read_text
from verify.refine.equivalence import agreement, compare_modules

HEAD = """func.func @f(%a: memref<8xi32>, %b: memref<8xi32>, %n: index, %s: i32, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
"""
TAIL = "  return\n}\n"
DOUBLED = """
    %x = memref.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %b[%i] : memref<8xi32>
"""
LOOP = f"  scf.for %i = %c0 to %c4 step %c1 {{{DOUBLED}  }}\n"
TWO_AT_ONCE = f"""  scf.for %j = %c0 to %c4 step %c2 {{
    scf.for %k = %c0 to %c2 step %c1 {{
    %i = arith.addi %j, %k : index
{DOUBLED}
    }}
  }}
"""
BLOCKS = f"""  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c4 : index
  cf.cond_br %more, ^body, ^done
^body:
{DOUBLED}
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^done:
"""
SELECTED = """
  %x = memref.load %a[%c0] : memref<8xi32>
  %y = arith.select %flag, %s, %x : i32
  memref.store %y, %a[%c0] : memref<8xi32>
"""
BRANCHED = """
  scf.if %flag {
    memref.store %s, %a[%c0] : memref<8xi32>
  }
"""
PARALLEL = f"  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {{{DOUBLED}    scf.reduce\n  }}\n"
COPIED = """
  %t = memref.alloc() : memref<4xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    memref.store %x, %t[%i] : memref<4xi32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %t[%i] : memref<4xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %b[%i] : memref<8xi32>
  }
  memref.dealloc %t : memref<4xi32>
"""
SAME = {
    "a loop cut into two": (LOOP, TWO_AT_ONCE),
    "a loop as blocks": (LOOP, BLOCKS),
    "a branch as a select": (BRANCHED, SELECTED),
    "a parallel loop one by one": (PARALLEL, LOOP),
    "a loop made parallel": (LOOP, PARALLEL),
    "a loop by way of a buffer": (LOOP, COPIED),
}
OTHER = {
    "one iteration less": (LOOP, LOOP.replace("to %c4", "to %c2")),
    "another element": (LOOP, LOOP.replace("%a[%i]", "%a[%c1]")),
    "another buffer": (LOOP, LOOP.replace("%b[%i]", "%a[%i]")),
    "the branches swapped": (BRANCHED, SELECTED.replace("%s, %x", "%x, %s")),
    "an access at an unknown place": (LOOP, LOOP.replace("%b[%i]", "%b[%n]")),
    "iterations that meet": (*(x.replace("%b[%i]", "%b[%c1]") for x in (LOOP, PARALLEL)),),
}


def _decider(source: str, target: str) -> str | None:
    modules = [read_text(HEAD + body + TAIL).module for body in (source, target)]
    assert modules[0] is not None
    assert modules[1] is not None
    return agreement(modules[0], modules[1], "f", CheckOptions())


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_on_all_data_is_proven(name: str) -> None:
    assert _decider(*SAME[name]) in ("normal form", "symbolic data")


@pytest.mark.parametrize("name", OTHER)
def test_what_is_not_the_same_is_not_proven(name: str) -> None:
    assert _decider(*OTHER[name]) is None


def test_loops_that_depend_on_the_input_are_compared_for_some_choices() -> None:
    loop = LOOP.replace("to %c4", "to %n")
    backwards = loop.replace(
        "    %x = ",
        "    %m = arith.subi %n, %i : index\n    %k = arith.subi %m, %c1 : index\n    %x = ",
    ).replace("[%i]", "[%k]")
    modules = [read_text(HEAD + body + TAIL).module for body in (loop, backwards)]
    assert modules[0] is not None
    assert modules[1] is not None

    ((_, result),) = compare_modules(modules[0], modules[1], CheckOptions(), "after:x", "x")

    assert "undecided" == str(result.verdict)
    assert "on all data it does the same for 4 of 4 choices" in result.diagnostics[0].message
