"""Views: offset, sizes and strides of the terms equal those of the concrete machine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.carriers import (
    Program,
    coverage,
    examples,
    precision,
    programs,
    run_concretely,
    scalars,
)
from verify.replay.inputs import Inputs
from verify.semantics.algebra import UndefinedBehaviourError

INDICES = "%i: index, %j: index, %k: index, %c: i1"
ROW = "memref<?xf32, strided<[?], offset: ?>>"
GRID = "memref<?x?xf32, strided<[?, ?], offset: ?>>"
STRIDED = "strided<[?], offset: ?>"

# The memory `%m` is the first argument; then come %i, %j, %k and %c. `%r` is what is compared.
VIEWS: dict[str, tuple[str, str, str]] = {
    "subview of a row": (
        "memref<?xf32>",
        f"%r = memref.subview %m[%i] [%j] [%k] : memref<?xf32> to memref<?xf32, {STRIDED}>",
        f"memref<?xf32, {STRIDED}>",
    ),
    "static subview of a grid": (
        "memref<4x6xf32>",
        (
            "%r = memref.subview %m[1, 2] [2, 2] [2, 1] : memref<4x6xf32> to"
            " memref<2x2xf32, strided<[12, 1], offset: 8>>"
        ),
        "memref<2x2xf32, strided<[12, 1], offset: 8>>",
    ),
    "a row of a grid": (
        "memref<4x6xf32>",
        (
            "%r = memref.subview %m[%i, 0] [1, 6] [1, 1] : memref<4x6xf32> to"
            " memref<6xf32, strided<[1], offset: ?>>"
        ),
        "memref<6xf32, strided<[1], offset: ?>>",
    ),
    "a column of a grid": (
        GRID,
        f"%r = memref.subview %m[0, %i] [%j, 1] [1, 1] : {GRID} to {ROW}",
        ROW,
    ),
    "one of two unit dimensions": (
        "memref<?x?x?xf32>",
        (
            "%r = memref.subview %m[%i, %j, 0] [1, 1, %k] [1, 1, 1] : memref<?x?x?xf32> to"
            " memref<1x?xf32, strided<[?, 1], offset: ?>>"
        ),
        "memref<1x?xf32, strided<[?, 1], offset: ?>>",
    ),
    "transposed grid": (
        GRID,
        f"%r = memref.transpose %m (a, b) -> (b, a) : {GRID} to {GRID}",
        GRID,
    ),
    "collapsed grid": (
        "memref<?x6xf32>",
        "%r = memref.collapse_shape %m [[0, 1]] : memref<?x6xf32> into memref<?xf32>",
        "memref<?xf32>",
    ),
    "collapsed columns": (
        "memref<4x?xf32, strided<[10, 1]>>",
        (
            "%r = memref.collapse_shape %m [[0, 1]] : memref<4x?xf32, strided<[10, 1]>> into"
            " memref<?xf32, strided<[?]>>"
        ),
        "memref<?xf32, strided<[?]>>",
    ),
    "expanded row": (
        "memref<12xf32>",
        (
            "%r = memref.expand_shape %m [[0, 1]] output_shape [3, 4] : memref<12xf32> into"
            " memref<3x4xf32>"
        ),
        "memref<3x4xf32>",
    ),
    "expanded row of unknown size": (
        "memref<?xf32>",
        (
            "%r = memref.expand_shape %m [[0, 1]] output_shape [%i, 2] : memref<?xf32> into"
            " memref<?x2xf32>"
        ),
        "memref<?x2xf32>",
    ),
    "cast that forgets": ("memref<8xf32>", f"%r = memref.cast %m : memref<8xf32> to {ROW}", ROW),
    "cast that knows": (
        "memref<?xf32>",
        "%r = memref.cast %m : memref<?xf32> to memref<3xf32>",
        "memref<3xf32>",
    ),
    "reinterpreted": (
        GRID,
        (
            "%r = memref.reinterpret_cast %m to offset: [%i], sizes: [%j, 2], strides: [%k, 1]"
            f" : {GRID} to memref<?x2xf32, strided<[?, 1], offset: ?>>"
        ),
        "memref<?x2xf32, strided<[?, 1], offset: ?>>",
    ),
    "bytes seen as floats": (
        "memref<64xi8>",
        "%r = memref.view %m[%i][%j] : memref<64xi8> to memref<?x2xf32>",
        "memref<?x2xf32>",
    ),
    "selected": (
        "memref<?xf32>",
        (
            "%s = memref.alloc() : memref<4xf32>\n"
            "%d = memref.cast %s : memref<4xf32> to memref<?xf32>\n"
            "%r = arith.select %c, %m, %d : memref<?xf32>"
        ),
        "memref<?xf32>",
    ),
    "from a branch": (
        "memref<?xf32>",
        (
            f"%r = scf.if %c -> ({ROW}) {{\n"
            f"  %x = memref.subview %m[%i] [%j] [1] : memref<?xf32> to"
            " memref<?xf32, strided<[1], offset: ?>>\n"
            f"  %y = memref.cast %x : memref<?xf32, strided<[1], offset: ?>> to {ROW}\n"
            f"  scf.yield %y : {ROW}\n}} else {{\n"
            f"  %z = memref.cast %m : memref<?xf32> to {ROW}\n  scf.yield %z : {ROW}\n}}"
        ),
        ROW,
    ),
    "from a switch": (
        "memref<?xf32>",
        (
            f"%r = scf.index_switch %i -> {ROW}\ncase 0 {{\n"
            f"  %z = memref.cast %m : memref<?xf32> to {ROW}\n  scf.yield %z : {ROW}\n}}\n"
            "case 1 {\n"
            f"  %x = memref.subview %m[%i] [1] [%k] : memref<?xf32> to memref<1xf32, {STRIDED}>\n"
            f"  %y = memref.cast %x : memref<1xf32, {STRIDED}> to {ROW}\n"
            f"  scf.yield %y : {ROW}\n}}\ndefault {{\n"
            "  %s = memref.alloc(%j) : memref<?xf32>\n"
            f"  %d = memref.cast %s : memref<?xf32> to {ROW}\n  scf.yield %d : {ROW}\n}}"
        ),
        ROW,
    ),
    "carried round a loop": (
        GRID,
        (
            "%z = arith.constant 0 : index\n%o = arith.constant 1 : index\n"
            f"%r = scf.for %n = %z to %j step %o iter_args(%v = %m) -> ({GRID}) {{\n"
            f"  %w = memref.transpose %v (a, b) -> (b, a) : {GRID} to {GRID}\n"
            f"  scf.yield %w : {GRID}\n}}"
        ),
        GRID,
    ),
    "pointer to an element": (
        "memref<16xf32>",
        (
            '%p = "enzymexla.memref2pointer"(%m) : (memref<16xf32>) -> !llvm.ptr\n'
            "%x = arith.index_cast %i : index to i64\n"
            "%r = llvm.getelementptr %p[%x, 1] : (!llvm.ptr, i64) -> !llvm.ptr,"
            " !llvm.struct<(i8, i32)>"
        ),
        "!llvm.ptr",
    ),
    "memref of a pointer": (
        "memref<16xf32>",
        (
            '%p = "enzymexla.memref2pointer"(%m) : (memref<16xf32>) -> !llvm.ptr\n'
            '%r = "enzymexla.pointer2memref"(%p) : (!llvm.ptr) -> memref<4x2xf64>'
        ),
        "memref<4x2xf64>",
    ),
    "subindex of a grid": (
        "memref<?x6xf32>",
        '%r = "enzymexla.subindex"(%m, %i) : (memref<?x6xf32>, index) -> memref<6xf32>',
        "memref<6xf32>",
    ),
    "subindex of a row": (
        "memref<?xf32>",
        '%r = "enzymexla.subindex"(%m, %i) : (memref<?xf32>, index) -> memref<?xf32>',
        "memref<?xf32>",
    ),
    "base buffer and metadata": (
        GRID,
        (
            f"%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : {GRID} ->"
            " memref<f32>, index, index, index, index, index\n"
            "%r = memref.reinterpret_cast %b to offset: [%o], sizes: [%s#1, %s#0],"
            f" strides: [%t#1, %t#0] : memref<f32> to {GRID}"
        ),
        GRID,
    ),
}
INEXACT = {"carried round a loop", "selected", "from a branch", "from a switch"}


@cache
def view_program(name: str) -> Program:
    """A function that makes one view."""
    kind, body, result = VIEWS[name]
    text = f"func.func @f(%m: {kind}, {INDICES}) -> {result} {{\n{body}\nreturn %r : {result}\n}}\n"
    (program,) = programs(text).values()
    return program


def small() -> st.SearchStrategy[int]:
    """Offsets, sizes and steps, now and then useless ones."""
    return st.one_of(st.integers(0, 4), st.sampled_from([-1, 1, 2, 6, 12]))


def inputs() -> st.SearchStrategy[Inputs]:
    """Integers for %i, %j, %k and %c, and the shape of the memory."""

    def make(numbers: list[int], sizes: list[int], strides: list[int], offset: int) -> Inputs:
        down = sum(max(0, n - 1) * max(0, -s) for n, s in zip(sizes, strides, strict=True))
        return replace(
            scalars(0, *numbers),
            sizes={(0, d): n for d, n in enumerate(sizes)},
            strides={(0, d): n for d, n in enumerate(strides)},
            offsets={0: offset + down},
        )

    numbers = st.tuples(small(), small(), small(), st.integers(-1, 0)).map(list)
    sizes = st.lists(st.integers(0, 5), min_size=3, max_size=3)
    strides = st.lists(st.integers(-4, 9), min_size=3, max_size=3)
    return st.builds(make, numbers, sizes, strides, st.integers(0, 3))


@pytest.mark.parametrize("name", VIEWS)
def test_the_terms_of_a_view_cover_the_concrete_one(name: str) -> None:
    @examples(25)
    @given(inputs())
    def check(drawn: Inputs) -> None:
        program = view_program(name)
        try:
            arguments, results = run_concretely(program, drawn)
        except UndefinedBehaviourError:
            return

        assert coverage(program, arguments, results) == ["sat"]
        if name not in INEXACT:
            assert precision(program, arguments, results) == ["unsat"]

    check()


def _elements(program: Program, drawn: Inputs) -> list[int]:
    """The element numbers, in the argument's memory, of the elements of a view in order."""
    from verify.replay.concrete import ConcreteMachine

    machine = ConcreteMachine(program.symbols, drawn)
    _, (view,) = run_concretely(program, drawn, machine)
    return [place // 4 for place in machine.places(view)]


def test_views_reach_the_elements_that_numpy_reaches() -> None:
    grid = np.arange(24).reshape(4, 6)
    shape = Inputs(sizes={(0, 0): 4, (0, 1): 6}, strides={(0, 0): 6, (0, 1): 1}, offsets={0: 0})
    scalar = {1: 1, 2: 3, 3: 2, 4: 0}
    drawn = replace(shape, scalars=scalar)
    expected = {
        "static subview of a grid": grid[1:5:2, 2:4],
        "a row of a grid": grid[1],
        "a column of a grid": grid[0:3, 1],
        "transposed grid": grid.T,
        "collapsed grid": grid.reshape(-1),
        "expanded row": np.arange(12).reshape(3, 4),
        "base buffer and metadata": grid.T,
        "subindex of a grid": grid[1],
    }

    found = {name: _elements(view_program(name), drawn) for name in expected}
    assert {name: [*map(int, view.reshape(-1))] for name, view in expected.items()} == found
