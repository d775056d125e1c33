"""What is proven of no run is told apart from what is proven of some, in each kind of report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import verify.report.json
from verify.cli.main import run
from verify.config import Options
from verify.driver import Task, run_task

CORPUS = Path(__file__).parents[3] / "corpus"
LOOP = str(CORPUS / "safe" / "a_loop_that_cannot_be_run.mlir")
PAIRS = str(CORPUS / "passes" / "vacuous_questions.mlir")
SCHEMA = json.loads(Path(verify.report.json.__file__).with_name("schema.json").read_text())
OF_LOOPS = ["snapshots", "state", "layout", "space"]


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    run([*arguments, "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return found


def stages(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    functions = found["files"][0]["functions"]
    return next(function["stages"] for function in functions if function["name"] == name)


def test_the_line_of_a_function_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["check", LOOP])
    lines = capsys.readouterr().out.splitlines()

    assert any(line.endswith("@too_far: proven (vacuous)") for line in lines)
    assert any(line.endswith("@far_enough: proven") for line in lines)
    assert 1 == sum("no input lets" in line for line in lines)


def test_json_lists_the_checks(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "check", LOOP)
    (empty,), (full,) = stages(found, "too_far"), stages(found, "far_enough")

    assert (OF_LOOPS, []) == (empty["vacuous"], full["vacuous"])
    assert ["proven"] * 4 == [empty["checks"][check] for check in OF_LOOPS]
    assert "N0004" in [diagnostic["code"] for diagnostic in empty["diagnostics"]]


@pytest.mark.parametrize("name", ["contradiction", "assumption", "by_zero", "forever"])
def test_equivalence_with_a_source_without_runs(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    first, second = stages(document(capsys, "tv", PAIRS), name)

    assert ("proven", []) == (first["verdict"], first["vacuous"])
    assert ("proven", ["equivalence"]) == (second["verdict"], second["vacuous"])


def test_tables_and_pages_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    run(["tv", PAIRS, "-v"])
    text = capsys.readouterr().out
    run(["check", LOOP, "--format", "html"])
    page = capsys.readouterr().out

    assert 4 == text.count("| vacuous ")
    assert 4 == text.count("note[N0004]")
    assert 4 == page.count(">vacuous</td>")
    assert "N0004: no input lets `@too_far` run to its end" in page


def test_a_pass_on_a_function_without_runs_leaves_it_vacuous() -> None:
    outcome = run_task(Task(LOOP, Options(), passes=("sink-checkpoint-views",)))
    noted = [
        (function.name, stage.stage, diagnostic.checks)
        for function in outcome.files[0].functions
        for stage in function.stages
        for diagnostic in stage.diagnostics
        if diagnostic.code == "N0004"
    ]

    assert outcome.fault is None
    assert [
        ("too_far", "input", tuple(OF_LOOPS)),
        ("too_far", "after:sink-checkpoint-views", (*OF_LOOPS, "equivalence")),
    ] == noted


def test_a_race_in_a_run_that_goes_on_forever_is_no_vacuous_question() -> None:
    text = b"""
func.func @f(%a: memref<8xf32, 1>, %v: f32) {
  cf.br ^again
^again:
  %t = gpu.wait async
  %s = gpu.memset async [%t] %a, %v : memref<8xf32, 1>, f32
  gpu.wait [%s]
  cf.br ^again
}
"""
    outcome = run_task(Task("-", Options(), content=text))
    ((stage,),) = [function.stages for function in outcome.files[0].functions]

    assert ("order", "waits") == stage.asked
    assert [] == [d.code for d in stage.diagnostics if d.code == "N0004"]
