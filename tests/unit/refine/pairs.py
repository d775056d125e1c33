"""Function bodies with one thing changed, and what the comparison says of them."""

from __future__ import annotations

from verify.checks.options import CheckOptions
from verify.ir.frontend import read_text
from verify.refine.equivalence import compare_modules
from verify.verdict import combine

HEAD = """
func.func private @log(f32)
func.func @f(%m: memref<?xf32>, %w: memref<8xf32>, %n: index, %k: index, %p: i1, %x: f32,
             %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
"""


def pair(source: str, target: str) -> tuple[str, str]:
    """Two modules with these bodies, each of which returns `%r`."""
    texts = [f"{HEAD}{body}\n  return %r : f32\n}}\n" for body in (source, target)]
    return texts[0], texts[1]


def outcome(source: str, target: str) -> str:
    """The verdict on all functions, with the first code."""
    modules = [read_text(text).module for text in (source, target)]
    assert modules[0] is not None, source
    assert modules[1] is not None, target
    options = CheckOptions()
    found = [r for _, r in compare_modules(modules[0], modules[1], options, "after:it", "`it`")]
    if not found:
        return "nothing to compare"
    codes = [d.code for result in found for d in result.diagnostics if d.code[0] != "N"]
    return " ".join([combine(result.verdict for result in found).value, *codes[:1]])


SUM = """
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
    %e = memref.load %m[%i] : memref<?xf32>
    %b = arith.addf %a, %e : f32
    scf.yield %b : f32
  }"""
STORES = """
  memref.store %x, %w[%c0] : memref<8xf32>
  memref.store %y, %w[%c1] : memref<8xf32>
  %r = memref.load %w[%c0] : memref<8xf32>"""
VIEW = """
  %v = memref.subview %w[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.store %x, %v[%c1] : memref<4xf32, strided<[1], offset: 2>>
  %r = memref.load %w[%c4] : memref<8xf32>"""
BRANCH = """
  %r = scf.if %p -> (f32) {
    memref.store %x, %w[%c0] : memref<8xf32>
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }"""
CALLS = """
  func.call @log(%x) : (f32) -> ()
  func.call @log(%y) : (f32) -> ()
  %r = arith.addf %x, %y : f32"""
FILL = """
  linalg.fill ins(%x : f32) outs(%w : memref<8xf32>)
  %r = memref.load %w[%c4] : memref<8xf32>"""
INSIDE = """
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.mulf %x, %y : f32
    memref.store %s, %m[%i] : memref<?xf32>
  }
  %r = arith.addf %x, %zero : f32"""
HOISTED = """
  %s = arith.mulf %x, %y : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %s, %m[%i] : memref<?xf32>
  }
  %r = arith.addf %x, %zero : f32"""
SELECTED = """
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<8xf32>)
  %v = arith.select %p, %w, %b : memref<8xf32>
  memref.store %x, %v[%c2] : memref<8xf32>
  %r = memref.load %w[%c2] : memref<8xf32>"""
WHILE = """
  %r = scf.while (%a = %x) : (f32) -> f32 {
    %go = arith.cmpf olt, %a, %y : f32
    scf.condition(%go) %a : f32
  } do {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    scf.yield %b : f32
  }"""
COPIED = """
  %b = memref.alloc() : memref<8xf32>
  memref.copy %w, %b : memref<8xf32> to memref<8xf32>
  memref.store %x, %w[%c0] : memref<8xf32>
  %r = memref.load %b[%c0] : memref<8xf32>"""
SCALED = """
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.addi %i, %i : index
    %e = memref.load %w[%j] : memref<8xf32>
    %g = arith.mulf %e, %x : f32
    memref.store %g, %w[%i] : memref<8xf32>
  }
  %r = memref.load %w[%c0] : memref<8xf32>"""
DIVIDED = """
  %q = arith.divui %k, %c2 : index
  %r = memref.load %m[%q] : memref<?xf32>"""

RIGHT = {
    "operands swapped": (SUM, SUM.replace("%a, %e", "%e, %a")),
    "renamed": (SUM, SUM.replace("%b", "%sum").replace("%e", "%cell")),
    "dead computation": (SUM, SUM + "\n  %unused = arith.mulf %x, %y : f32"),
    "a dead load left out": (FILL + "\n  %u = memref.load %m[%c0] : memref<?xf32>", FILL),
    "computed twice": (
        "%a = arith.addf %x, %y : f32\n%b = arith.addf %x, %y : f32\n%r = arith.mulf %a, %b : f32",
        "%a = arith.addf %x, %y : f32\n%r = arith.mulf %a, %a : f32",
    ),
    "hoisted": (INSIDE, HOISTED),
    "view folded": (
        VIEW,
        (
            "%c3 = arith.constant 3 : index\nmemref.store %x, %w[%c3] : memref<8xf32>\n"
            "%r = memref.load %w[%c4] : memref<8xf32>"
        ),
    ),
    "what was stored is known": (
        STORES,
        STORES.replace(
            "%r = memref.load %w[%c0] : memref<8xf32>", "%r = arith.select %p, %x, %x : f32"
        ),
    ),
    "condition turned round": (
        BRANCH,
        (
            "%t = arith.constant true\n%q = arith.xori %p, %t : i1\n"
            "%r = scf.if %q -> (f32) {\n  scf.yield %y : f32\n} else {\n"
            "  memref.store %x, %w[%c0] : memref<8xf32>\n  scf.yield %x : f32\n}"
        ),
    ),
    "bounds made normal": (
        SUM.replace("%c0 to %n", "%c0 to %n"),
        SUM.replace("memref.load %m[%i]", "memref.load %m[%i]"),
    ),
    "one iteration": (
        (
            "scf.for %i = %c0 to %c1 step %c1 {\n  memref.store %x, %w[%i] : memref<8xf32>\n}\n"
            "%r = arith.addf %x, %y : f32"
        ),
        "memref.store %x, %w[%c0] : memref<8xf32>\n%r = arith.addf %x, %y : f32",
    ),
    "index arithmetic": (
        SCALED,
        SCALED.replace("arith.addi %i, %i", "arith.muli %i, %c2"),
    ),
    "a choice of buffers kept": (SELECTED, SELECTED.replace("%v", "%chosen")),
    "a loop on a condition kept": (WHILE, WHILE.replace("%b", "%twice")),
}

WRONG = {
    "another element": (SUM, SUM.replace("load %m[%i]", "load %m[%c0]")),
    "another operation": (SUM, SUM.replace("arith.addf", "arith.mulf")),
    "another start": (SUM, SUM.replace("%a = %zero", "%a = %x")),
    "one iteration less": (SUM, SUM.replace("= %c0 to", "= %c1 to")),
    "every second iteration": (SUM, SUM.replace("step %c1", "step %c2")),
    "the old sum handed on": (SUM, SUM.replace("yield %b", "yield %a")),
    "a store left out": (STORES, STORES.replace("memref.store %y, %w[%c1] : memref<8xf32>", "")),
    "stores of each other's value": (STORES, STORES.replace("%x, %w[%c0]", "%y, %w[%c0]")),
    "a load before its store": (
        "memref.store %x, %w[%c0] : memref<8xf32>\n%r = memref.load %w[%c0] : memref<8xf32>",
        "%r = memref.load %w[%c0] : memref<8xf32>\nmemref.store %x, %w[%c0] : memref<8xf32>",
    ),
    "a view at another place": (
        VIEW,
        VIEW.replace("%w[2]", "%w[3]").replace("offset: 2", "offset: 3"),
    ),
    "a view with another stride": (
        VIEW,
        VIEW.replace("[4] [1]", "[3] [2]").replace("4xf32, strided<[1]", "3xf32, strided<[2]"),
    ),
    "arms swapped": (
        BRANCH,
        BRANCH.replace("yield %x", "yield %z")
        .replace("yield %y", "yield %x")
        .replace("yield %z", "yield %y"),
    ),
    "a store on both paths": (
        BRANCH,
        "memref.store %x, %w[%c0] : memref<8xf32>\n%r = arith.select %p, %x, %y : f32",
    ),
    "a fill with another value": (FILL, FILL.replace("ins(%x", "ins(%y")),
    "a fill of a part": (
        FILL,
        (
            "%v = memref.subview %w[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>\n"
            "linalg.fill ins(%x : f32) outs(%v : memref<4xf32, strided<[1]>>)\n"
            "%r = memref.load %w[%c4] : memref<8xf32>"
        ),
    ),
    "a store hoisted out of a loop that may not run": (
        INSIDE,
        HOISTED.replace("scf.for", "memref.store %s, %w[%c0] : memref<8xf32>\n  scf.for"),
    ),
    "a load that may be out of bounds": (
        (
            "%r = scf.if %p -> (f32) {\n  %e = memref.load %m[%k] : memref<?xf32>\n"
            "  scf.yield %e : f32\n} else {\n  scf.yield %zero : f32\n}"
        ),
        "%e = memref.load %m[%k] : memref<?xf32>\n%r = arith.select %p, %e, %zero : f32",
    ),
    "the other buffer": (SELECTED, SELECTED.replace("%p, %w, %b", "%p, %b, %w")),
    "a condition turned round": (
        WHILE,
        WHILE.replace("olt, %a, %y", "olt, %y, %a").replace("addf %a, %a", "addf %a, %y"),
    ),
    "a copy after the store": (
        COPIED,
        (
            "%b = memref.alloc() : memref<8xf32>\nmemref.store %x, %w[%c0] : memref<8xf32>\n"
            "memref.copy %w, %b : memref<8xf32> to memref<8xf32>\n"
            "%r = memref.load %b[%c0] : memref<8xf32>"
        ),
    ),
    "a buffer instead of its copy": (COPIED, COPIED.replace("load %b[", "load %w[")),
    "another index": (SCALED, SCALED.replace("arith.addi %i, %i", "arith.addi %i, %c1")),
    "iterations in the other order": (
        SCALED,
        SCALED.replace(
            "%j = ",
            "%c3 = arith.constant 3 : index\n    %o = arith.subi %c3, %i : index\n    %j = ",
        )
        .replace("%i, %i", "%o, %o")
        .replace("%w[%i]", "%w[%o]"),
    ),
    "a signed division": (
        (
            "%c7 = arith.constant 7 : index\n%d = arith.subi %c0, %c7 : index\n"
            "%q = arith.divsi %d, %c2 : index\n%o = arith.addi %q, %c4 : index\n"
            "%r = memref.load %w[%o] : memref<8xf32>"
        ),
        (
            "%c7 = arith.constant 7 : index\n%d = arith.subi %c0, %c7 : index\n"
            "%q = arith.floordivsi %d, %c2 : index\n%o = arith.addi %q, %c4 : index\n"
            "%r = memref.load %w[%o] : memref<8xf32>"
        ),
    ),
    "another quotient": (DIVIDED, DIVIDED.replace("divui %k, %c2", "divui %k, %c4")),
    "the cell handed on": (SUM, SUM.replace("yield %b", "yield %e")),
    "a cell of the other buffer": (
        SUM,
        SUM.replace("load %m[%i] : memref<?xf32>", "load %w[%c0] : memref<8xf32>"),
    ),
    "a store to another element": (STORES, STORES.replace("%y, %w[%c1]", "%y, %w[%c2]")),
    "a load of the other element": (STORES, STORES.replace("load %w[%c0]", "load %w[%c1]")),
    "a load beside the view": (VIEW, VIEW.replace("load %w[%c4]", "load %w[%c2]")),
    "another value through the view": (VIEW, VIEW.replace("store %x", "store %y")),
    "a store to another element on one side": (BRANCH, BRANCH.replace("%w[%c0]", "%w[%c1]")),
    "a store more after a fill": (
        FILL,
        FILL.replace("%r =", "memref.store %y, %w[%c1] : memref<8xf32>\n  %r ="),
    ),
    "a load before its fill": (
        FILL,
        (
            "%r = memref.load %w[%c4] : memref<8xf32>\n"
            "linalg.fill ins(%x : f32) outs(%w : memref<8xf32>)"
        ),
    ),
    "another invariant": (INSIDE, INSIDE.replace("arith.mulf", "arith.addf")),
    "the same element every time": (INSIDE, INSIDE.replace("%m[%i]", "%m[%c0]")),
    "a result of something else": (INSIDE, INSIDE.replace("addf %x, %zero", "addf %y, %zero")),
    "another element of the choice": (SELECTED, SELECTED.replace("%x, %v[%c2]", "%x, %v[%c1]")),
    "another step of a condition": (WHILE, WHILE.replace("addf %a, %a", "addf %a, %y")),
    "another value over the copied one": (COPIED, COPIED.replace("store %x", "store %y")),
    "a scaling of fewer elements": (SCALED, SCALED.replace("to %c4", "to %c2")),
    "a sum for a product": (SCALED, SCALED.replace("arith.mulf %e, %x", "arith.addf %e, %x")),
    "a remainder for a quotient": (DIVIDED, DIVIDED.replace("arith.divui", "arith.remui")),
}
