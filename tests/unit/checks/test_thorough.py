"""Suspicions that no run confirms are asked again with more of the program in view."""

from tests.unit.checks.checking import ROW, codes, function, verdict

VIEW = "memref<4xf32, strided<[1]>>"
TWO = f"%v = memref.subview %m[0] [4] [1] : {ROW} to {VIEW}"


def test_iterations_that_others_make_undefined_are_no_suspicion() -> None:
    """Iteration 2 would read %v[4], so that there are two iterations at most."""
    read = (
        f"%k = arith.muli %i, %c2 : index\n%x = memref.load %v[%k] : {VIEW}\n"
        f"memref.store %x, %m[%c4] : {ROW}"
    )
    late = "%p = arith.cmpi uge, %i, %c2 : index\nscf.if %p {\nmemref.store %f, %m[%c0] : "

    assert "proven" == verdict(function(f"%m: {ROW}", TWO, f"{late}{ROW}\n}}\n{read}"))
    assert ["E0101"] == codes(
        function(f"%m: {ROW}", TWO, f"{late}{ROW}\n}}\n{read}".replace("uge", "ule"))
    )


def test_an_iteration_in_between_may_settle_what_is_read() -> None:
    """%m[1], written in iteration 1, is written through %v in iteration 2, and read in 3."""
    kind = "memref<3xf32, strided<[2], offset: 1>>"
    view = f"%v = memref.subview %m[1] [3] [2] : memref<7xf32> to {kind}"
    lines = (
        "%c3 = arith.constant 3 : index\n%k = arith.remui %i, %c3 : index\n"
        f"%x = memref.load %v[%k] : {kind}\nmemref.store %x, %m[%c0] : memref<7xf32>\n"
        "memref.store %f, %m[%i] : memref<7xf32>\n"
        "%j = arith.addi %i, %c1 : index\n%l = arith.remui %j, %c3 : index\n"
    )
    kill = f"memref.store %g, %v[%l] : {kind}"

    assert "proven" == verdict(function("%m: memref<7xf32>", view, lines + kill))
    assert ["E0101"] == codes(function("%m: memref<7xf32>", view, lines))


def test_another_loop_tells_how_large_a_buffer_is() -> None:
    kind = "memref<?xf32>"
    wide = (
        f"%w = memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [1] : {kind}"
        " to memref<2xf32, strided<[1]>>\n%x = memref.load %w[%c1] : memref<2xf32, strided<[1]>>\n"
        f"memref.store %x, %m[%c0] : {kind}"
    )
    other = (
        f"scf.for %j = %c0 to %c2 step %c1 {{\n%y = memref.load %m[%j] : {kind}\n}}\n"
        "%top = arith.constant 9 : index"
    )

    assert "proven" == verdict(function(f"%m: {kind}", other, wide))
    assert "refuted" == verdict(function(f"%m: {kind}", other.replace("to %c2", "to %c1"), wide))
