"""A function before and after a pass, line by line."""

from verify.refine.beside import rows_of

BEFORE = """module {
  func.func @f(%a: i32) -> i32 {
    // a comment
    %b = arith.addi %a, %a : i32
    %c = arith.muli %b, %a : i32
    return %c : i32
  }
  func.func @g() {
    return
  }
}
"""


def marks(after: str, name: str = "f") -> str:
    return "".join(row.mark for row in rows_of(BEFORE, after, name))


def test_other_names_are_no_difference() -> None:
    renamed = BEFORE.replace("%b", "%0").replace("%c", "%1").replace("%a", "%arg0")

    assert "     " == marks(renamed)


def test_another_operand_is_one() -> None:
    assert "  ~  " == marks(BEFORE.replace("muli %b, %a", "muli %a, %b"))


def test_lines_that_came_and_went_are_marked() -> None:
    shorter = BEFORE.replace("    %c = arith.muli %b, %a : i32\n", "").replace("%c", "%b")

    assert "  -~ " == marks(shorter)
    assert ["", "    %d = arith.subi %b, %a : i32"] == [
        text
        for row in rows_of(
            BEFORE,
            BEFORE.replace("    return %c", "    %d = arith.subi %b, %a : i32\n    return %c"),
            "f",
        )
        if row.mark == "+"
        for text in (row.left, f"  {row.right}")
    ]


def test_a_function_that_is_not_there_shows_nothing() -> None:
    assert () == rows_of(BEFORE, BEFORE, "h")
    assert () == rows_of(BEFORE, BEFORE.replace("@g", "@h"), "g")
