import pytest

from verify.ir.foreign_places import places_in_source

PRINTED = """#loc1 = loc("f.mlir":20:3)
#loc2 = loc(callsite(#loc1 at #loc9))
#loc3 = loc("it \\"is\\"":2:2)
module {
  a.b %x : i32 loc(#loc1)
  a.c %x : i32 loc(#loc2)
  a.d %x {s = "loc(no)"} : i32
  a.e (%y: i32 loc("f.mlir":30:1)) {
    a.f %x loc(#loc3)
  } else {
  } loc("f.mlir":29:4)
  a.g loc(unknown)
  a.h loc("-":3:4)
  a.i loc(fused["f.mlir":31:1, "g.mlir":1:1])
  a.j {
} loc(#loc1)
  a.k loc(#loc77)
"""


@pytest.mark.parametrize(
    ("line", "place", "quoted"),
    [
        (5, ("f.mlir", 20, 3), "a.b %x : i32"),
        (6, ("f.mlir", 20, 3), "a.c %x : i32"),
        (7, None, 'a.d %x {s = "loc(no)"} : i32'),
        (8, ("f.mlir", 29, 4), 'a.e (%y: i32 loc("f.mlir":30:1)) {'),
        (9, ('it "is"', 2, 2), "a.f %x"),
        (12, None, "a.g"),
        (13, None, "a.h"),
        (14, ("f.mlir", 31, 1), "a.i"),
        (15, None, "a.j {"),
        (17, None, "a.k"),
    ],
)
def test_a_place_in_printed_text_becomes_that_of_its_op(
    line: int, place: tuple[str, int, int] | None, quoted: str
):
    error = {"message": "no", "place": ("-", line, 5), "notes": []}

    (found,) = places_in_source([error], PRINTED, "the output")

    assert found["place"] == place
    assert found["notes"] == [{"message": f"line {line} of the output: `{quoted}`", "place": None}]


def test_places_elsewhere_are_kept_and_those_of_notes_are_mapped():
    notes = [
        {"message": "here", "place": ("-", 5, 1)},
        {"message": "there", "place": ("g.mlir", 1, 1)},
        {"message": "nowhere", "place": None},
    ]
    error = {"message": "no", "place": ("f.mlir", 7, 5), "notes": notes}

    (found,) = places_in_source([error], PRINTED, "the output")

    assert found["place"] == ("f.mlir", 7, 5)
    places = [note["place"] for note in found["notes"]]
    assert places == [("f.mlir", 20, 3), ("g.mlir", 1, 1), None]


def test_a_place_past_the_end_is_no_place():
    error = {"message": "no", "place": ("-", 99, 1), "notes": []}

    (found,) = places_in_source([error], PRINTED, "the output")

    assert found["place"] is None
    assert found["notes"] == [{"message": "line 99 of the output", "place": None}]


def test_a_long_line_is_cut():
    error = {"message": "no", "place": ("-", 1, 1), "notes": []}

    (found,) = places_in_source([error], "x" * 1000, "the output")

    assert len(found["notes"][0]["message"]) < 200
