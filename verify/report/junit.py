"""Results as JUnit XML: a suite for each module, a case for each function at each stage.

Refuted is a failure; undecided and unreadable are errors, because most readers of this format
take a skipped case for a good one.
"""

import xml.etree.ElementTree as ET

from verify.codes import Severity, severity_of
from verify.diagnostic import Diagnostic
from verify.report.context import RenderContext
from verify.report.stages import title_of
from verify.report.style import Paint, clean
from verify.report.text import render_diagnostic
from verify.result import FileResult, RunResult, StageResult
from verify.verdict import Verdict

_ELEMENT = {Verdict.REFUTED: "failure", Verdict.UNDECIDED: "error"}


def render(run: RunResult, context: RenderContext) -> str:
    """The XML document."""
    root = ET.Element("testsuites", name="verify-ir", time=f"{run.seconds:.3f}")
    for file in run.files:
        root.append(_suite(file, context))
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ET.indent(root)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{ET.tostring(root, encoding='unicode')}\n"


def _suite(file: FileResult, context: RenderContext) -> ET.Element:
    suite = ET.Element("testsuite", name=clean(title_of(file)))
    if file.errors:
        stage = StageResult("input", Verdict.UNDECIDED, file.errors)
        suite.append(_case(file, "module", stage, context))
    for function in file.functions:
        name = f"@{function.name}" if function.name else "module"
        for stage in function.stages:
            suite.append(_case(file, name, stage, context))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    return suite


def _case(file: FileResult, name: str, stage: StageResult, context: RenderContext) -> ET.Element:
    at = "" if stage.stage == "input" else f" {stage.stage}"
    case = ET.Element("testcase", classname=clean(title_of(file)), name=clean(f"{name}{at}"))
    shown = [each for each in stage.diagnostics if severity_of(each.code) is not Severity.NOTE]
    is_bad = stage.verdict is not Verdict.PROVEN or (context.is_strict and shown)
    text = "\n".join(_block(diagnostic, context, file.path) for diagnostic in shown)
    if is_bad:
        element = ET.SubElement(case, _ELEMENT.get(stage.verdict, "failure"))
        element.set("type", stage.verdict.value)
        element.set("message", clean(shown[0].message) if shown else stage.verdict.value)
        element.text = text
    elif text:
        ET.SubElement(case, "system-out").text = text
    return case


def _block(diagnostic: Diagnostic, context: RenderContext, path: str) -> str:
    return "\n".join(render_diagnostic(diagnostic, context, Paint(), path))
