"""The commands on files of the corpus, with the real checks."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import verify.report.json
from verify.cli.main import run
from verify.config import FORMATS, Options
from verify.driver import Task, run_task
from verify.report.context import RenderContext
from verify.report.registry import renderer
from verify.result import RunResult

CORPUS = Path(__file__).parents[3] / "corpus"
EXAMPLE = str(CORPUS / "unsafe" / "double_snapshot.mlir")
SCHEMA = json.loads(Path(verify.report.json.__file__).with_name("schema.json").read_text())
OWN = "sink-checkpoint-views"
REAL = pytest.param(
    "enzyme:sink-checkpoint-views",
    marks=pytest.mark.skipif(find_spec("enzyme_ad") is None, reason="Enzyme is not installed"),
)


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return found


def test_the_bug_is_found_and_confirmed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([EXAMPLE, "--format", "json"]) == 1

    (function,) = document(capsys)["files"][0]["functions"]
    finding = function["stages"][0]["diagnostics"][0]
    assert "E0101" == finding["code"]
    assert "confirmed" == finding["replay"]["status"]
    assert finding["replay"]["expected"] != finding["replay"]["actual"]


@pytest.mark.parametrize("spec", [OWN, REAL])
def test_sinking_the_views_cures_it(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["passes", EXAMPLE, "-p", spec, "--format", "json"]

    assert run(command) == 1

    (function,) = document(capsys)["files"][0]["functions"]
    assert [("input", "refuted"), (f"after:{spec}", "proven")] == [
        (stage["stage"], stage["verdict"]) for stage in function["stages"]
    ]
    assert run([*command, "--judge", "last-stage"]) == 0


@pytest.mark.parametrize("command", ["check", "passes"])
def test_every_report_can_be_made_of_every_file(command: str) -> None:
    passes = (OWN,) if command == "passes" else ()
    outcomes = [
        run_task(Task(str(path), Options(), passes=passes))
        for path in sorted(CORPUS.glob("*/*.mlir"))
    ]
    run_result = RunResult(tuple(file for outcome in outcomes for file in outcome.files))
    context = RenderContext(command=command, is_color=True, is_unicode=True, shows_proof=True)

    assert [] == [outcome.fault for outcome in outcomes if outcome.fault]
    for name in FORMATS:
        assert renderer(name)(run_result, context).endswith("\n")
    jsonschema.validate(json.loads(renderer("json")(run_result, context)), SCHEMA)


def test_every_query_can_be_written_for_another_solver(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    window = str(CORPUS / "unsafe" / "window_at_unknown_place.mlir")

    run([window, "--emit-smt2", str(tmp_path / "queries"), "-j", "1"])

    assert list((tmp_path / "queries").glob("*.smt2"))
