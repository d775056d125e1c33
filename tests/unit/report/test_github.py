from dataclasses import replace

from tests.unit.report.samples import ASSUMED, CHECKED, PIPELINE, STALE, context, stage
from tests.unit.report.snapshots import assert_snapshot
from verify.report.github import render
from verify.result import FileResult, FunctionResult, RunResult
from verify.verdict import Verdict


def test_each_finding_is_one_workflow_command() -> None:
    assert_snapshot("check.github.txt", render(CHECKED, context()))


def test_a_later_stage_is_named() -> None:
    assert "(after:mlir:loop-invariant-code-motion)%0A" in render(PIPELINE, context()).replace(
        "\n", "%0A"
    )


def test_notes_are_annotations_only_when_verbose() -> None:
    assert "::notice" not in render(CHECKED, context())
    assert "::notice" in render(CHECKED, context(verbosity=1))


def test_what_would_end_a_command_is_escaped() -> None:
    odd = replace(STALE, message="50%\r\nof: a, b", related=(), location=None)
    function = FunctionResult("f", (stage(Verdict.REFUTED, odd, ASSUMED),))

    text = render(RunResult((FileResult("a:b,c.mlir", (function,)),)), context(verbosity=-1))

    assert text.startswith(
        "::error file=a%3Ab%2Cc.mlir,title=E0101 stale-snapshot::50%25%0D%0Aof: a, b"
    )
    assert 1 == text.count("\n")
