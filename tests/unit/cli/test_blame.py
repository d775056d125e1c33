from verify.blame import broken_codes, cured_codes, cures, pass_of
from verify.diagnostic import Diagnostic
from verify.result import FunctionResult, StageResult
from verify.verdict import Verdict


def stage(*codes: str, name: str = "input") -> StageResult:
    return StageResult(name, Verdict.PROVEN, tuple(Diagnostic(code, "m") for code in codes))


def test_an_invariant_is_broken_when_it_held_just_before() -> None:
    assert ("E0101", "E0105") == broken_codes(stage("E0104"), stage("E0105", "E0101", "E0104"))


def test_a_stage_in_doubt_proves_nothing() -> None:
    assert () == broken_codes(stage("U0001"), stage("E0101"))
    assert () == cured_codes(stage("E0101"), stage("U0002"))


def test_contracts_warnings_and_failures_of_passes_are_no_invariants() -> None:
    assert () == broken_codes(stage(), stage("E0103", "W0102", "E0304", "N0001"))


def test_each_cure_is_told_with_its_stage() -> None:
    stages = stage("E0101"), stage(name="after:a:b"), stage("E0101", name="after:c")

    assert [("E0101", "after:a:b")] == cures(FunctionResult("f", stages))
    assert "a:b" == pass_of("after:a:b")


def test_a_race_that_moves_to_the_device_is_the_same_race() -> None:
    assert () == broken_codes(stage("E0202"), stage("E0201"))
    assert () == cured_codes(stage("E0202", "E0203"), stage("E0201", "E0203"))
    assert ("E0201",) == broken_codes(stage("E0203"), stage("E0201"))
    assert ("E0202",) == cured_codes(stage("E0202"), stage("E0203"))


def test_a_race_of_work_that_became_asynchronous_is_no_new_one() -> None:
    assert () == broken_codes(stage("E0202"), stage("E0201", "E0202"))
    assert () == cured_codes(stage("E0201"), stage("E0202"))
    assert ("E0203",) == broken_codes(stage("E0202"), stage("E0201", "E0203"))
