"""Findings of one cause fall into one group."""

from fuzz.finding import Finding, normalised, stack_of

STACK = """
PLEASE submit a bug report
 #0 0x00007f1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/a/libMLIR.so+0x1)
 #1 0x00007f2 SignalHandler(int, siginfo_t*, void*) Signals.cpp:0:0
 #2 0x00007f3 mlir::Operation::getParentOp() (/a/libMLIR.so+0x2)
 #3 0x00007f4 (anonymous namespace)::Pass::runOnOperation() (/a/libMLIR.so+0x3)
"""


def test_names_numbers_types_and_folders_do_not_matter() -> None:
    one = "byte 4 of `%b1` at /a/b/c.mlir differs from 'memref<3xf32>' in `@f`"
    two = "byte 16 of `%other` at /d/c.mlir differs from 'memref<?x8xf64>' in `@g`"

    assert normalised(one) == normalised(two)


def test_other_words_are_another_cause() -> None:
    assert normalised("byte 4 of `%b1` differs") != normalised("bit 4 of `%b1` differs")


def test_the_target_is_part_of_the_group() -> None:
    one, two = (Finding("crash", t, "E0304", "died", "died") for t in ("enzyme:x", "mlir:x"))

    assert one.group != two.group


def test_a_stack_starts_at_the_frame_that_matters() -> None:
    assert stack_of(STACK).startswith("mlir::Operation::getParentOp")
