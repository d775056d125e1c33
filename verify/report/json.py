"""Results as one JSON document of schema `verify-ir/v1`; every key is there, null where unknown.

A finding that belongs to no function (a file that cannot be read, a pass that died) stands under
an entry of `functions` whose name is null. `schema.json` beside this module describes the form.
"""

import json
from typing import Any

from verify.checklist import CHECKS, answers
from verify.codes import CODES
from verify.diagnostic import Counterexample, Diagnostic, Location, Replay
from verify.report.context import RenderContext
from verify.report.phrases import plain
from verify.result import FileResult, FunctionResult, RunResult, StageResult
from verify.side_by_side import Comparison, Side, comparisons
from verify.verdict import Verdict

SCHEMA = "verify-ir/v1"


def render(run: RunResult, context: RenderContext) -> str:  # noqa: ARG001
    """The document, indented by one column a level."""
    return json.dumps(run_to_json(run), indent=1, allow_nan=False) + "\n"


def run_to_json(run: RunResult) -> dict[str, Any]:
    """A whole run in JSON's own types."""
    return {
        "schema": SCHEMA,
        "verdict": run.verdict.value,
        "files": [_file(file) for file in run.files],
        "comparisons": [_comparison(found) for found in comparisons(run.files)],
        "toolchains": dict(run.toolchains),
        "seconds": round(run.seconds, 6),
    }


def _file(file: FileResult) -> dict[str, Any]:
    functions = [_function(function) for function in file.functions]
    if file.errors:
        stage = StageResult("input", Verdict.UNDECIDED, file.errors)
        functions.insert(0, _function(FunctionResult("", (stage,))))
    return {
        "path": file.path,
        "compiler": file.compiler or None,
        "verdict": file.verdict.value,
        "functions": functions,
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    stages = [
        {"stage": stage.stage, "compilers": [_side(side) for side in stage.sides]}
        for stage in found.stages
    ]
    return {"path": found.path, "agree": found.is_agreed, "stages": stages}


def _side(side: Side) -> dict[str, Any]:
    return {
        "compiler": side.compiler,
        "verdict": side.verdict.value if side.verdict else None,
        "codes": list(side.codes),
        "output": side.form,
    }


def _function(function: FunctionResult) -> dict[str, Any]:
    return {
        "name": function.name or None,
        "verdict": function.verdict.value,
        "stages": [_stage(stage) for stage in function.stages],
    }


def _stage(stage: StageResult) -> dict[str, Any]:
    return {
        "stage": stage.stage,
        "verdict": stage.verdict.value,
        "checks": _checks(stage),
        "vacuous": [check for check, answer in answers(stage).items() if answer.is_vacuous],
        "diagnostics": [diagnostic_to_json(diagnostic) for diagnostic in stage.diagnostics],
    }


def _checks(stage: StageResult) -> dict[str, str | None]:
    """The verdict of each check, null where nothing was asked."""
    found = answers(stage)
    return {check: found[check].verdict.value if check in found else None for check in CHECKS}


def diagnostic_to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """One finding in JSON's own types."""
    code = CODES[diagnostic.code]
    return {
        "code": code.code,
        "name": code.name,
        "severity": code.severity.value,
        "message": diagnostic.message,
        "function": diagnostic.function,
        "stage": diagnostic.stage,
        "location": _location(diagnostic.location),
        "related": [
            {"message": related.message, "location": _location(related.location)}
            for related in diagnostic.related
        ],
        "counterexample": counterexample_to_json(diagnostic.counterexample),
        "replay": _replay(diagnostic.replay),
    }


def _location(location: Location | None) -> dict[str, Any] | None:
    if location is None:
        return None
    return {"file": location.file, "line": location.line, "column": location.column}


def counterexample_to_json(counterexample: Counterexample | None) -> dict[str, Any] | None:
    """Inputs, iterations, accesses and schedule, or null."""
    if counterexample is None:
        return None
    return {
        "inputs": plain(counterexample.inputs),
        "iterations": plain(counterexample.iterations),
        "accesses": plain(counterexample.accesses),
        "schedule": plain(counterexample.schedule),
    }


def _replay(replay: Replay | None) -> dict[str, Any] | None:
    if replay is None:
        return None
    return {
        "device": replay.device,
        "status": replay.status,
        "expected": plain(replay.expected),
        "actual": plain(replay.actual),
    }
