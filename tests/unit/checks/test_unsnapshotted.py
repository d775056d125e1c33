"""E0105: reads of memory that no snapshot covers, and writes that settle what they read."""

from __future__ import annotations

from tests.unit.checks.checking import PART, ROW, codes, finding, function

GLOBALS = """
memref.global @g : memref<4xf32>
memref.global constant @k : memref<4xf32> = dense<1.0>
"""
READ = "%x = memref.load %h[%c0] : memref<4xf32>"
WRITE = "memref.store %f, %h[%c0] : memref<4xf32>"
KEEP = f"memref.store %x, %m[%c0] : {ROW}"


def on_global(*body: str, symbol: str = "g") -> str:
    """A loop whose body uses a global."""
    first = f"%h = memref.get_global @{symbol} : memref<4xf32>"
    return function(f"%m: {ROW}", "", "\n".join([first, *body]), module=GLOBALS)


def test_a_read_that_a_later_write_changes_is_refuted() -> None:
    found = finding(on_global(READ, WRITE, KEEP), "E0105").counterexample

    assert found is not None
    assert found.inputs == {"%n": 1}


def test_a_read_that_its_own_iteration_writes_first_is_proven() -> None:
    assert codes(on_global(WRITE, READ, KEEP)) == []


def test_a_write_that_may_be_skipped_leaves_the_read_exposed() -> None:
    guarded = f"%c = arith.cmpi eq, %i, %c1 : index\nscf.if %c {{\n{WRITE}\n}}"

    assert codes(on_global(guarded, READ, KEEP)) == ["E0105"]


def test_a_constant_global_is_always_as_it_was() -> None:
    assert codes(on_global(READ, KEEP, symbol="k")) == []


def test_a_global_that_is_captured_and_written_past_its_snapshot_is_refuted() -> None:
    text = function(
        f"%m: {ROW}",
        "%s = memref.get_global @g : memref<4xf32>",
        "%h = memref.get_global @g : memref<4xf32>\n"
        f"{WRITE}\n%x = memref.load %s[%c0] : memref<4xf32>\n{KEEP}",
        module=GLOBALS,
    )

    assert codes(text) == ["E0105"]


def test_a_pointer_loaded_in_the_loop_may_point_anywhere() -> None:
    text = function(
        f"%m: {ROW}, %t: !llvm.ptr",
        "",
        "%p = llvm.load %t : !llvm.ptr -> !llvm.ptr\nllvm.store %f, %p : f32, !llvm.ptr\n"
        f"%x = memref.load %m[%c0] : {ROW}\nmemref.store %x, %m[%c1] : {ROW}",
    )

    assert codes(text) != []


def test_a_view_wider_than_its_source_leaves_the_snapshot() -> None:
    text = function(
        f"%m: {ROW}",
        f"%cast = memref.cast %m : {ROW} to {PART}\n"
        f"%lo = memref.subview %cast[%c0] [%c1] [1] : {PART} to {PART}",
        "%w = memref.reinterpret_cast %lo to offset: [0], sizes: [4], strides: [1]"
        f" : {PART} to memref<4xf32, strided<[1]>>\n"
        "%x = memref.load %w[%c2] : memref<4xf32, strided<[1]>>\n"
        "memref.store %x, %w[%c0] : memref<4xf32, strided<[1]>>",
    )

    assert "E0105" in codes(text)
