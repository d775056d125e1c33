"""Findings of one cause fall into one group."""

from fuzz.finding import Finding, normalised


def test_names_numbers_types_and_folders_do_not_matter() -> None:
    one = "byte 4 of `%b1` at /a/b/c.mlir differs from 'memref<3xf32>' in `@f`"
    two = "byte 16 of `%other` at /d/c.mlir differs from 'memref<?x8xf64>' in `@g`"

    assert normalised(one) == normalised(two)


def test_other_words_are_another_cause() -> None:
    assert normalised("byte 4 of `%b1` differs") != normalised("bit 4 of `%b1` differs")


def test_the_target_is_part_of_the_group() -> None:
    one, two = (Finding("crash", t, "E0304", "died", "died") for t in ("enzyme:x", "mlir:x"))

    assert one.group != two.group
