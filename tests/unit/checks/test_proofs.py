"""Records of who settled a question, and queries written for other solvers."""

from __future__ import annotations

from pathlib import Path

from tests.unit.checks.checking import PART, ROW, check, function

KILLED = function(
    f"%m: {ROW}",
    f"%cast = memref.cast %m : {ROW} to {PART}\n"
    f"%v = memref.subview %cast[%c0] [%c4] [1] : {PART} to {PART}",
    f"memref.store %f, %v[%c0] : {PART}\nmemref.store %f, %m[%c0] : {ROW}\n"
    f"%x = memref.load %m[%c0] : {ROW}\nmemref.store %x, %m[%c1] : {ROW}",
)


def deciders(text: str) -> list[tuple[str, int]]:
    """Who settled the questions of stale snapshots."""
    proof = check(text).proof
    return [(p.decider, p.count) for p in proof if p.check == "stale-snapshot"]


def test_a_write_in_between_takes_the_solver() -> None:
    assert deciders(KILLED) == [("z3", 1)]


def test_pairs_that_bounds_keep_apart_are_counted_all_the_same() -> None:
    text = function(
        "%m: memref<16xf32>",
        "%a = memref.subview %m[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>\n"
        "%b = memref.subview %m[8] [8] [1] : memref<16xf32> to"
        " memref<8xf32, strided<[1], offset: 8>>",
        "memref.store %f, %a[%i] : memref<8xf32, strided<[1]>>\n"
        "%x = memref.load %b[%i] : memref<8xf32, strided<[1], offset: 8>>\n"
        "memref.store %x, %b[%i] : memref<8xf32, strided<[1], offset: 8>>",
    )

    assert deciders(text) == [("bounds", 1)]


def test_every_query_is_written_with_its_answer(tmp_path: Path) -> None:
    for text in (KILLED, KILLED.replace("%f, %m[%c0]", "%f, %m[%c2]")):
        check(text, emit_smt2=tmp_path)
    stated = {p.read_text().partition(":status ")[2][:5] for p in tmp_path.glob("overlap-*")}

    assert stated == {"sat)\n", "unsat"}
