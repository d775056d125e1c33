import pytest

from verify.checklist import CHECKS, OF_LOOPS, OTHER, Answer, answers, check_of, checks_in, worst
from verify.codes import CODES
from verify.diagnostic import Diagnostic
from verify.result import FileResult, FunctionResult, StageResult, joined
from verify.verdict import Verdict


def stage(*diagnostics: Diagnostic, asked: tuple[str, ...] = ()) -> StageResult:
    return StageResult("input", Verdict.PROVEN, diagnostics, asked=asked)


def test_only_what_was_asked_is_proven() -> None:
    assert {} == answers(stage())
    assert {"order": Answer()} == answers(stage(asked=("order",)))
    assert Verdict.PROVEN is Answer().verdict


def test_a_code_stands_under_its_check() -> None:
    found = answers(stage(Diagnostic("E0105", "m"), Diagnostic("W0102", "m"), asked=OF_LOOPS))

    assert [("snapshots", "W0102"), ("state", "E0105"), ("layout", "proven")] == [
        (check, answer.text) for check, answer in found.items()
    ][:3]
    assert Verdict.PROVEN is found["snapshots"].verdict
    assert Verdict.REFUTED is found["state"].verdict


def test_an_open_question_stands_under_the_checks_that_it_names() -> None:
    found = answers(stage(Diagnostic("U0003", "m", checks=("layout",)), asked=OF_LOOPS))

    assert ["layout"] == [c for c, a in found.items() if a.verdict is Verdict.UNDECIDED]


def test_an_open_question_that_names_no_check_leaves_all_open() -> None:
    found = answers(stage(Diagnostic("U0004", "m"), asked=OF_LOOPS))

    assert {"U0004"} == {answer.text for answer in found.values()}
    assert {OTHER: Answer(("U0004",))} == answers(stage(Diagnostic("U0004", "m")))


def test_the_worst_severity_is_shown() -> None:
    found = answers(stage(*(Diagnostic(c, "m", checks=("waits",)) for c in ("W0205", "U0002"))))

    assert {"waits": Answer(("U0002",))} == found
    assert Answer(("E0201", "E0202")) == worst(
        [Answer(("E0202",)), Answer(("U0003",)), Answer(), Answer(("E0201",))]
    )


def test_notes_on_a_proof_leave_it_as_it_is() -> None:
    assert {"order": Answer()} == answers(stage(Diagnostic("N0001", "m"), asked=("order",)))


def test_every_error_of_a_check_has_a_column() -> None:
    families = ("E01", "E02", "W01", "W02")
    without = [c for c in CODES if c.startswith(families) and check_of(c) == ()]

    assert [] == without


def test_columns_come_in_one_order_whatever_stage_has_them() -> None:
    functions = (
        FunctionResult("f", (stage(asked=("equivalence",)),)),
        FunctionResult("g", (stage(asked=("order",)),)),
    )

    assert ("order", "equivalence") == checks_in(FileResult("a.mlir", functions))


def test_two_examinations_of_a_stage_have_asked_both() -> None:
    assert ("state", "order") == joined(stage(asked=("state",)), stage(asked=("order",))).asked


@pytest.mark.parametrize("check", CHECKS)
def test_a_title_is_one_short_word(check: str) -> None:
    assert check.isalpha()
    assert len(check) <= len("equivalence")
