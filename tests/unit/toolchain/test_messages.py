from verify.toolchain.messages import parse_messages


def test_errors_of_both_forms_have_places_and_notes():
    text = (
        'loc("f.mlir":1:2): error: first\n'
        'loc("f.mlir":3:4): note: because\n'
        "noise\n"
        "g.mlir:5:6: error: second\n"
        "  code\n  ^\n"
        "loc(unknown): error: third\n"
        'loc("f.mlir":7:8): warning: ignored\n'
        'loc("f.mlir":9:9): note: of the warning\n'
    )

    errors = parse_messages(text)

    assert [(e["message"], e["place"]) for e in errors] == [
        ("first", ("f.mlir", 1, 2)),
        ("second", ("g.mlir", 5, 6)),
        ("third", None),
    ]
    assert [note["message"] for note in errors[0]["notes"]] == ["because"]
    assert errors[2]["notes"] == []


def test_the_first_place_of_a_call_site_counts():
    (error,) = parse_messages('loc(callsite("f":1:2 at "g":3:4)): error: x')

    assert error["place"] == ("f", 1, 2)
