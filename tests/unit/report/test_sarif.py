import json
from typing import Any

from tests.unit.report.samples import CHECKED, STALE, context, stage
from tests.unit.report.snapshots import assert_snapshot
from verify.report.sarif import render
from verify.result import FileResult, FunctionResult, RunResult
from verify.verdict import Verdict


def results(run: RunResult = CHECKED) -> list[dict[str, Any]]:
    return json.loads(render(run, context()))["runs"][0]["results"]


def test_the_log_is_as_published() -> None:
    assert_snapshot("check.sarif", render(CHECKED, context(exit_code=1)))


def test_open_questions_have_kind_open_and_no_level() -> None:
    kinds = {each["ruleId"]: (each["kind"], each["level"]) for each in results()}

    assert kinds == {
        "E0101": ("fail", "error"),
        "U0002": ("open", "none"),
        "N0002": ("informational", "none"),
        "E0001": ("fail", "error"),
    }


def test_every_result_points_at_its_rule() -> None:
    log = json.loads(render(CHECKED, context()))["runs"][0]
    rules = log["tool"]["driver"]["rules"]

    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in log["results"])


def test_paths_are_uris() -> None:
    from dataclasses import replace

    place = STALE.location
    assert place is not None
    spaced = replace(STALE, location=replace(place, file="a b%.mlir"))
    absolute = replace(STALE, location=replace(place, file="/tmp/a b.mlir"))
    function = FunctionResult("f", (stage(Verdict.REFUTED, spaced, absolute),))

    found = [
        each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for each in results(RunResult((FileResult("a b%.mlir", (function,)),)))
    ]

    assert ["a%20b%25.mlir", "file:///tmp/a%20b.mlir"] == found
