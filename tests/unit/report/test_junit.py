import xml.etree.ElementTree as ET
from dataclasses import replace

from tests.unit.report.samples import CHECKED, PIPELINE, STALE, TWICE, context, stage
from tests.unit.report.snapshots import assert_snapshot
from verify.report.junit import render
from verify.result import FileResult, FunctionResult, RunResult
from verify.verdict import Verdict


def test_each_function_is_a_case() -> None:
    assert_snapshot("check.junit.xml", render(CHECKED, context()))


def test_each_stage_of_a_pipeline_is_a_case() -> None:
    cases = ET.fromstring(render(PIPELINE, context())).iter("testcase")

    assert [
        ("@sum", 1),
        ("@sum after:sink-checkpoint-views", 0),
        ("@sum after:mlir:loop-invariant-code-motion", 1),
    ] == [(case.get("name"), len(case.findall("failure"))) for case in cases]


def test_warnings_are_output_and_failures_when_strict() -> None:
    function = FunctionResult("sum", (stage(Verdict.PROVEN, TWICE),))
    run = RunResult((FileResult("f.mlir", (function,)),))

    assert "W0102" in (ET.fromstring(render(run, context())).findtext(".//system-out") or "")
    assert 1 == len(ET.fromstring(render(run, context(is_strict=True))).findall(".//failure"))


def test_a_strict_run_forgives_what_is_only_assumed() -> None:
    run = RunResult((FileResult("f.mlir", CHECKED.files[0].functions[2:]),))

    assert [] == ET.fromstring(render(run, context(is_strict=True))).findall(".//failure")


def test_characters_that_xml_forbids_are_replaced() -> None:
    odd = replace(STALE, message="a\x00\x1b<&", related=(), notes=())
    function = FunctionResult("f\x01", (stage(Verdict.REFUTED, odd),))

    root = ET.fromstring(render(RunResult((FileResult("f", (function,)),)), context()))

    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("message") == "a\ufffd\ufffd<&"
