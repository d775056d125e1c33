import pytest

from verify.diagnostic import Diagnostic, Location, Related
from verify.expectations import check_expectations, parse_expectations
from verify.result import FileResult, FunctionResult, StageResult
from verify.verdict import Verdict

LATER = "after:mlir:licm"


def finding(code: str, line: int | None, message: str = "a message", *related: Related):
    place = Location("f", line, 3) if line else None
    return Diagnostic(code, message, location=place, related=related)


def mismatches(
    text: str, *diagnostics: Diagnostic, later: tuple[Diagnostic, ...] | None = None
) -> list[str]:
    stages = [StageResult("input", Verdict.PROVEN, diagnostics)]
    if later is not None:
        stages.append(StageResult(LATER, Verdict.PROVEN, later))
    file = FileResult("f", (FunctionResult("g", tuple(stages)),))
    return [str(each) for each in check_expectations("f", text, [file])]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x // expected-error {{[E0101] a}}", 1),
        ("// expected-error@+1 {{message}}\nx", 2),
        ("// expected-error @+2 {{message}}\n\nx", 3),
        ("x\n// expected-error@-1 {{message}}", 1),
        ("x\n// expected-error@above {{message}}", 1),
        ("// expected-error@below{{message}}\nx", 2),
        ("x\n// expected-note@above {{n}}\n// expected-error@above {{message}}", 1),
        ("// expected-error@below {{message}}\n// expected-note@below {{n}}\nx", 3),
        ("// expected-error-re@+1 {{^[E0101] {{a|the}} {{m[a-z]{6}}}$}}\nx", 2),
        ("// expected-error-re@+1 {{a {{.*}}}}\nx", 2),
    ],
)
def test_a_comment_meets_the_diagnostic_that_it_points_at(text: str, line: int) -> None:
    found = (finding("E0101", line), finding("N0001", line, "n"))
    escaped = text.replace("^[E0101]", "[E0101]").replace("$}}", "}}")

    assert [] == mismatches(escaped, *found)


def test_a_comment_without_a_place_is_met_by_a_diagnostic_without_one() -> None:
    text = "// expected-error@unknown {{[E0304]}}"

    assert [] == mismatches(text, finding("E0304", None))
    assert 2 == len(mismatches(text, finding("E0304", 1)))


def test_severities_have_their_kinds() -> None:
    text = (
        "x // expected-error {{E0101}} expected-warning {{W0102}} "
        "expected-remark {{U0002}} expected-note {{N0001}}"
    )
    found = [finding(code, 1) for code in ("E0101", "W0102", "U0002", "N0001")]

    assert [] == mismatches(text, *found)
    assert ["f:1:6: expected error did not come: E0101"] == mismatches(text, *found[1:])


def test_what_is_not_expected_is_a_mismatch_with_its_place_except_for_notes() -> None:
    assert ["f:2:3: unexpected error: [E0101] a message"] == mismatches(
        "x\ny", finding("E0101", 2), finding("N0001", 2)
    )
    assert ["f:1:1: unexpected remark: [U0002] a message"] == mismatches(
        "x", finding("U0002", None)
    )


def test_an_expected_note_must_come() -> None:
    text = "x // expected-note {{N0001}}"

    assert [] == mismatches(text, finding("N0001", 1))
    assert ["f:1:6: expected note did not come: N0001"] == mismatches(text)


def test_places_related_to_a_finding_can_be_expected_as_notes() -> None:
    also = Related("the other capture", Location("f", 2, 1))
    text = "x // expected-error {{E0101}}\ny // expected-note {{other capture}}"

    assert [] == mismatches(text, finding("E0101", 1, "m", also))


def test_each_comment_is_met_once_and_the_longest_fitting_one_first() -> None:
    text = "x // expected-error {{E0101}} expected-error {{[E0101] b}}"
    found = finding("E0101", 1, "b"), finding("E0101", 1, "a")

    assert [] == mismatches(text, *found)
    assert 1 == len(mismatches(text, *found, finding("E0101", 1, "c")))


def test_a_comment_may_name_a_later_stage() -> None:
    text = "x // expected-error {{after:mlir:licm [E0303]}}"

    assert [] == mismatches(text, later=(finding("E0303", 1),))
    assert [
        "f:1:3: unexpected error: [E0303] a message",
        "f:1:6: expected error did not come: after:mlir:licm [E0303]",
    ] == mismatches(text, finding("E0303", 1), later=())
    assert ["f:1:3: unexpected error after:mlir:licm: [E0303] a message"] == mismatches(
        "x", later=(finding("E0303", 1),)
    )


def test_a_comment_about_a_stage_that_the_run_does_not_have_is_left_out() -> None:
    assert [] == mismatches("x // expected-error {{after:enzyme:other [E0303]}}", later=())


def test_a_verdict_without_a_reason_is_a_mismatch() -> None:
    stage = StageResult("input", Verdict.UNDECIDED)
    file = FileResult("f", (FunctionResult("g", (stage,)),))

    assert ["f:1:1: @g is undecided input without a reason"] == [
        str(each) for each in check_expectations("f", "", [file])
    ]


def test_errors_of_reading_can_be_expected() -> None:
    file = FileResult("f", errors=(finding("E0001", 1),))

    assert [] == check_expectations("f", "x // expected-error {{[E0001]}}", [file])


@pytest.mark.parametrize(
    "text",
    [
        "// expected-error",
        "// expected-error [E0101]",
        "// expected-error {{[E0101]",
        "// expected-error@-1 {{before the first line}}",
        "// expected-error@+5 {{behind the last line}}",
        "// expected-error@+1 {{no line below}}",
    ],
)
def test_malformed_comments_are_mismatches(text: str) -> None:
    _, faults = parse_expectations("f", text)

    assert ["f:1:4: malformed expectation; it should read expected-KIND@PLACE {{text}}"] == [
        str(each) for each in faults
    ]


def test_the_words_outside_comments_mean_nothing() -> None:
    assert ([], []) == parse_expectations("f", '"expected-error {{x}}"() : () -> ()')
