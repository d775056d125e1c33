"""Writes that change nothing cannot make a copy stale, and cannot refresh one either."""

from tests.unit.checks.checking import PART, ROW, codes, function, verdict

VIEW = "memref<4xf32, strided<[1]>>"
TWO = f"%v = memref.subview %m[0] [4] [1] : {ROW} to {VIEW}"
LOAD = f"%x = memref.load %v[%c0] : {VIEW}\nmemref.store %x, %m[%c4] : {ROW}"


def body(*lines: str, before: str = TWO) -> str:
    return function(f"%m: {ROW}", before, "\n".join(lines))


def store(value: str, index: str, buffer: str = f"%m:{ROW}") -> str:
    name, _, kind = buffer.partition(":")
    return f"memref.store {value}, {name}[{index}] : {kind}"


def test_a_copy_of_elements_onto_themselves_is_idle() -> None:
    same = f"%w = memref.subview %m[0] [4] [1] : {ROW} to {VIEW}"
    copied = f"memref.copy %v, %w : {VIEW} to {VIEW}"

    assert "proven" == verdict(body(copied, LOAD, before=f"{TWO}\n{same}"))
    shifted = same.replace("%m[0]", "%m[1]").replace("[1]>>", "[1], offset: 1>>")
    moved = copied.replace(f"to {VIEW}", "to memref<4xf32, strided<[1], offset: 1>>")
    assert "refuted" == verdict(
        body(moved, LOAD.replace("%c0]", "%c2]"), before=f"{TWO}\n{shifted}")
    )


def test_the_same_value_once_more_is_idle() -> None:
    first = store("%f", "%c0", f"%v:{VIEW}")

    assert "proven" == verdict(body(first, store("%f", "%c0"), LOAD))
    assert ["E0101"] == codes(body(first, store("%g", "%c0"), LOAD))


def test_another_write_in_between_makes_the_second_count() -> None:
    first, other = store("%f", "%c0", f"%v:{VIEW}"), store("%g", "%c0", f"%v:{VIEW}")

    assert ["E0101"] == codes(body(first, other, store("%f", "%c0"), LOAD))


def test_a_value_that_was_just_read_is_written_back_idly() -> None:
    read = f"%y = memref.load %v[%i] : {VIEW}"

    assert "proven" == verdict(body(read, store("%y", "%i"), LOAD))
    assert "refuted" == verdict(body(read, store("%y", "%c0"), LOAD))


def test_an_idle_write_through_another_copy_refreshes_nothing() -> None:
    third = f"%z = memref.subview %m[0] [4] [1] : {ROW} to {VIEW}"
    lines = (LOAD, store("%g", "%c0"), f"memref.copy %z, %z : {VIEW} to {VIEW}")

    assert "E0101" in codes(body(*lines, before=f"{TWO}\n{third}"))


def test_computed_values_are_compared_by_how_they_were_made() -> None:
    once = "%a = arith.addf %f, %h : f32"
    again, other = once.replace("%a", "%b"), "%b = arith.addf %h, %h : f32"
    writes = (store("%a", "%c0", f"%v:{VIEW}"), store("%b", "%c0"), LOAD)

    def program(second: str) -> str:
        return function(f"%m: {ROW}, %h: f32", TWO, "\n".join((once, second, *writes)))

    assert "proven" == verdict(program(again))
    assert ["E0101"] == codes(program(other))


def test_a_fill_with_holes_settles_its_elements() -> None:
    kind = "memref<2xf32, strided<[2]>>"
    view = f"%v = memref.subview %m[0] [2] [2] : {ROW} to {kind}"
    fill = f"linalg.fill ins(%f : f32) outs(%v : {kind})"
    read = f"%x = memref.load %v[%c1] : {kind}\nmemref.store %x, %m[%c4] : {ROW}"

    assert "proven" == verdict(body(store("%g", "%c2"), fill, read, before=view))
    assert ["E0101"] == codes(body(fill, store("%g", "%c2"), read, before=view))


def test_a_carried_view_with_an_open_layout_stays_where_it_is() -> None:
    text = (
        f"func.func @f(%m: {ROW}, %n: index, %f: f32) {{\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        f"%v = memref.cast %m : {ROW} to {PART}\n"
        f"%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> ({PART}) {{\n"
        f"memref.store %f, %a[%c0] : {PART}\n%x = memref.load %v[%c1] : {PART}\n"
        f"scf.yield %v : {PART}\n}} {{enzyme.enable_checkpointing = true}}\nreturn\n}}\n"
    )

    assert "proven" == verdict(text)
    assert "refuted" == verdict(text.replace("load %v[%c1]", "load %v[%c0]"))
