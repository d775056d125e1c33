"""Results as SARIF 2.1.0. A question left open has kind `open`; assumptions are `informational`."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from verify.codes import CODES, Code, Severity, severity_of
from verify.diagnostic import Diagnostic, Location
from verify.report.context import RenderContext
from verify.report.json import counterexample_to_json, diagnostic_to_json
from verify.report.phrases import say_evidence
from verify.report.walk import findings
from verify.result import RunResult

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVEL = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.UNDECIDED: "none",
    Severity.NOTE: "none",
}
_KIND = {Severity.UNDECIDED: "open", Severity.NOTE: "informational"}


def render(run: RunResult, context: RenderContext) -> str:
    """One log with one run."""
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(run, context)]}
    return json.dumps(log, indent=1, allow_nan=False) + "\n"


def _run(run: RunResult, context: RenderContext) -> dict[str, Any]:
    diagnostics = [diagnostic for _, diagnostic in findings(run)]
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    return {
        "tool": {
            "driver": {
                "name": "verify-ir",
                "version": context.version,
                "rules": [_rule(CODES[code]) for code in codes],
            }
        },
        "invocations": [
            {
                "executionSuccessful": context.exit_code in (0, 1, 3),
                "exitCode": context.exit_code,
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, codes.index(each.code)) for each in diagnostics],
        "properties": {"verdict": run.verdict.value, "toolchains": dict(run.toolchains)},
    }


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.code,
        "name": code.name,
        "shortDescription": {"text": code.summary},
        "help": {"text": f"verify-ir explain {code.code}"},
        "defaultConfiguration": {"level": _LEVEL[code.severity]},
    }


def _result(diagnostic: Diagnostic, rule_index: int) -> dict[str, Any]:
    severity = severity_of(diagnostic.code)
    located = [related for related in diagnostic.related if related.location]
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "kind": _KIND.get(severity, "fail"),
        "level": _LEVEL[severity],
        "message": {"text": _message(diagnostic)},
        "locations": [_place(diagnostic.location, diagnostic)] if diagnostic.location else [],
        "relatedLocations": [
            {"id": number, **_place(related.location, None), "message": {"text": related.message}}
            for number, related in enumerate(located, start=1)
            if related.location
        ],
        "properties": {
            "stage": diagnostic.stage,
            "counterexample": counterexample_to_json(diagnostic.counterexample),
            "replay": diagnostic_to_json(diagnostic)["replay"],
        },
    }


def _message(diagnostic: Diagnostic) -> str:
    evidence = (f"{label}: {text}" for label, text in say_evidence(diagnostic))
    return "\n".join([diagnostic.message, *evidence])


def _place(location: Location, diagnostic: Diagnostic | None) -> dict[str, Any]:
    region = {"startLine": max(location.line, 1), "startColumn": max(location.column, 1)}
    if location.end_column:
        region["endColumn"] = location.end_column
    place: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(location.file)},
            "region": region,
        }
    }
    if diagnostic and diagnostic.function:
        place["logicalLocations"] = [{"name": diagnostic.function, "kind": "function"}]
    return place


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
