import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

import verify.report.json
from tests.unit.report.samples import CHECKED, PATH, PIPELINE, STALE, context, stage
from tests.unit.report.snapshots import assert_snapshot
from verify.diagnostic import Replay
from verify.report.json import render, run_to_json
from verify.result import FileResult, FunctionResult, RunResult
from verify.verdict import Verdict

SCHEMA = json.loads(Path(verify.report.json.__file__).with_name("schema.json").read_text())


def test_the_document_is_as_published() -> None:
    assert_snapshot("check.json", render(CHECKED, context()))


@pytest.mark.parametrize("run", [CHECKED, PIPELINE, RunResult(())])
def test_documents_meet_the_published_schema(run: RunResult) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(json.loads(render(run, context())), SCHEMA)


def test_keys_come_in_the_order_of_the_contract() -> None:
    document = run_to_json(CHECKED)
    function = document["files"][0]["functions"][0]
    finding = function["stages"][0]["diagnostics"][0]

    assert ["schema", "verdict", "files", "comparisons", "toolchains", "seconds"] == list(document)
    assert ["path", "compiler", "verdict", "functions"] == list(document["files"][0])
    assert ["name", "verdict", "stages"] == list(function)
    stage_keys = ["stage", "verdict", "checks", "vacuous", "diagnostics"]
    assert stage_keys == list(function["stages"][0])
    assert list(finding) == [
        "code",
        "name",
        "severity",
        "message",
        "function",
        "stage",
        "location",
        "related",
        "counterexample",
        "replay",
    ]


def test_values_that_json_lacks_are_written_as_text() -> None:
    odd = replace(STALE, replay=Replay("cpu", "confirmed", float("nan"), float("-inf")))
    function = FunctionResult("sum", (stage(Verdict.REFUTED, odd),))

    document = json.loads(render(RunResult((FileResult(PATH, (function,)),)), context()))

    replay = document["files"][0]["functions"][0]["stages"][0]["diagnostics"][0]["replay"]
    assert {"device": "cpu", "status": "confirmed", "expected": "nan", "actual": "-inf"} == replay


def test_the_document_is_ascii_whatever_the_names() -> None:
    assert render(RunResult((FileResult("測.mlir"),)), context()).isascii()
