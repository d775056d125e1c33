"""Pairs of a source and a target: what passes do, and what they must not do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.refine.pairs import RIGHT, WRONG, outcome, pair
from verify.checks.options import CheckOptions
from verify.ir.frontend import read_text
from verify.refine.equivalence import compare_modules

CORPUS = Path(__file__).parents[3] / "corpus"
UNREADABLE = ("E0001", "E0002")
FILES = [
    path
    for path in sorted([*CORPUS.glob("safe/*.mlir"), *CORPUS.glob("unsafe/*.mlir")])
    if not any(f"[{code}]" in path.read_text() for code in UNREADABLE)
]


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_proven(name: str) -> None:
    assert "proven" == outcome(*pair(*RIGHT[name]))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refuted(name: str) -> None:
    assert "refuted E0302" == outcome(*pair(*WRONG[name]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_does_what_it_does(path: Path) -> None:
    text = path.read_text()

    assert outcome(text, text) in ("proven", "nothing to compare")


def test_order_and_names_do_not_matter() -> None:
    one = "func.func @a(%x: f32) -> f32 {\n  return %x : f32\n}\n"
    other = "func.func @b(%y: i32) -> i32 {\n  return %y : i32\n}\n"

    assert "proven" == outcome(one + other, other + one.replace("%x", "%renamed"))


def test_a_function_that_is_gone_is_an_open_question() -> None:
    one = "func.func @a() {\n  return\n}\n"

    assert "undecided U0003" == outcome(one, one.replace("@a", "@b"))


def test_a_question_without_a_usable_run_says_so() -> None:
    head = "func.func @a(%m: memref<4xf32>, %x: f32) {\n  %c9 = arith.constant 9 : index\n"
    one = f"{head}  memref.store %x, %m[%c9] : memref<4xf32>\n  return\n}}\n"
    other = one.replace(
        "memref.store",
        "%y = arith.addf %x, %x : f32\n  memref.store %y, %m[%c9] : memref<4xf32>\n  memref.store",
    )
    modules = [read_text(text).module for text in (one, other)]
    assert modules[0] is not None
    assert modules[1] is not None
    ((_, found),) = compare_modules(modules[0], modules[1], CheckOptions(), "after:it", "`it`")

    assert "no run of the source could be used" in found.diagnostics[0].message


def test_other_arguments_are_another_function() -> None:
    one = "func.func @a(%x: f32) {\n  return\n}\n"

    assert "undecided U0002" == outcome(one, one.replace("f32", "f64"))


PARALLEL = """
func.func @a(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.KIND (%i) = (%c0) to (%n) step (%c1) {
    %j = arith.addi %i, %c1 : index
    %x = memref.load %m[%i] : memref<8xf32>
    memref.store %x, %m[%j] : memref<8xf32>
  }
  return
}
"""


def test_iterations_that_may_run_in_any_order_are_not_those_that_may_not() -> None:
    parallel = PARALLEL.replace("KIND", "parallel")
    ordered = PARALLEL.replace(
        "KIND (%i) = (%c0) to (%n) step (%c1)", "for %i = %c0 to %n step %c1"
    )

    assert "undecided U0003" == outcome(ordered, parallel)


def test_a_buffer_on_the_stack_is_not_one_that_can_be_returned() -> None:
    text = "func.func @a() -> memref<4xf32> {\n  %m = memref.alloc() : memref<4xf32>\n"
    text += "  return %m : memref<4xf32>\n}\n"

    assert "undecided U0003" == outcome(text, text.replace("alloc()", "alloca()"))


def test_what_an_op_sees_of_memory_depends_on_when_it_looks() -> None:
    kind = "memref<8xf32>, vector<4xf32>"
    text = (
        "func.func @a(%m: memref<8xf32>, %x: f32) -> vector<4xf32> {\n"
        f"  %c0 = arith.constant 0 : index\n  %v = vector.load %m[%c0] : {kind}\n"
        f"  memref.store %x, %m[%c0] : memref<8xf32>\n  %w = vector.load %m[%c0] : {kind}\n"
        "  return %w : vector<4xf32>\n}\n"
    )

    assert "proven" == outcome(text, text.replace("%w", "%late"))
    assert "undecided U0003" == outcome(text, text.replace("return %w", "return %v"))


def test_a_global_that_holds_something_else_is_another_one() -> None:
    text = (
        "memref.global constant @g : memref<1xf32> = dense<1.0>\nfunc.func @a() -> f32 {\n"
        "  %c0 = arith.constant 0 : index\n  %g = memref.get_global @g : memref<1xf32>\n"
        "  %x = memref.load %g[%c0] : memref<1xf32>\n  return %x : f32\n}\n"
    )

    assert "refuted E0302" == outcome(text, text.replace("dense<1.0>", "dense<2.0>"))


def test_overflow_that_is_promised_is_a_demand() -> None:
    text = "func.func @a(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}\n"
    promised = text.replace("%x, %x :", "%x, %x overflow<nsw> :")

    assert "proven" == outcome(promised, text)
    assert "undecided U0003" == outcome(text, promised)
