from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli import checker
from verify.config import Options
from verify.diagnostic import Diagnostic, Location
from verify.driver import Task, run_task
from verify.ir.frontend import read_modules
from verify.ir.source import SourceText
from verify.result import FileResult
from verify.toolchain import registry
from verify.toolchain.registry import PassOutcome

PASS = "sink-checkpoint-views"


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    checker.install(monkeypatch)


def run_pipeline(*specs: str, text: str) -> FileResult:
    outcome = run_task(Task("-", Options(), text.encode(), specs))
    assert outcome.fault is None
    return outcome.files[0]


def stages(file: FileResult) -> list[tuple[str, str, str, list[str]]]:
    return [
        (function.name, stage.stage, stage.verdict, [each.code for each in stage.diagnostics])
        for function in file.functions
        for stage in function.stages
    ]


def test_a_pass_that_fails_ends_the_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    failure = Diagnostic("E0304", "`x` died", location=Location("-", 1, 1))
    monkeypatch.setattr(registry, "run_pass", lambda *_: PassOutcome(None, (failure,)))

    file = run_pipeline("mlir:x", PASS, text=checker.functions("fine"))

    assert stages(file) == [
        ("fine", "input", "proven", []),
        ("", "after:mlir:x", "refuted", ["E0304"]),
    ]
    assert "after:mlir:x" == file.functions[1].stages[0].diagnostics[0].stage


def test_a_pass_that_could_not_be_run_leaves_the_module_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unread = Diagnostic("U0002", "`x` cannot read the module")
    monkeypatch.setattr(registry, "run_pass", lambda *_: PassOutcome(None, (unread,)))

    assert ("", "after:x", "undecided", ["U0002"]) == stages(run_pipeline("x", text=""))[0]


def test_output_that_cannot_be_read_is_told_as_the_fault_of_the_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (broken,) = read_modules(SourceText("printed", "func.func @f( {"))
    monkeypatch.setattr(registry, "run_pass", lambda *_: PassOutcome(broken))

    file = run_pipeline("mlir:x", text=checker.functions("fine"))

    diagnostic = file.functions[1].stages[0].diagnostics[0]
    assert "E0305" == diagnostic.code
    assert diagnostic.message.startswith("`mlir:x` gives invalid IR: ")


def test_what_a_contract_finds_belongs_to_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    from verify.passes import contracts

    def find(*_: Any) -> tuple[Diagnostic, ...]:
        return Diagnostic("E0103", "m", "fine"), Diagnostic("E0103", "m", "nowhere")

    monkeypatch.setattr(contracts, "check_contract", find)

    assert stages(run_pipeline(PASS, text=checker.functions("fine"))) == [
        ("fine", "input", "proven", []),
        ("fine", f"after:{PASS}", "refuted", ["E0103"]),
        ("", f"after:{PASS}", "refuted", ["E0103"]),
    ]


def test_a_doubt_about_a_pass_leaves_the_module_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run_pass(_: str, module: Any, __: Any) -> PassOutcome:
        return PassOutcome(module, (Diagnostic("U0002", "m"),))

    monkeypatch.setattr(registry, "run_pass", run_pass)

    assert ("", "after:x", "undecided", ["U0002"]) == stages(run_pipeline("x", text=""))[0]


def test_texts_that_are_not_on_the_disk_come_with_the_outcome(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (printed,) = read_modules(SourceText("printed", checker.functions("fine")))
    monkeypatch.setattr(registry, "run_pass", lambda *_: PassOutcome(printed))
    path = tmp_path / "f.mlir"
    path.write_text(checker.functions("fine"))

    outcome = run_task(Task(str(path), Options(), passes=("x",)))

    assert {"printed": checker.functions("fine")} == outcome.sources
