"""Bundles of the corpus: one for every finding of its RUN lines that can be run again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from verify.cli.corpus import missing_toolchains, needs, run_lines, split
from verify.codes import Severity, severity_of
from verify.config import Options
from verify.diagnostic import Diagnostic
from verify.driver import Outcome, Task, run_task
from verify.toolchain.registry import steps_of

CORPUS = Path(__file__).parents[2] / "corpus"


@dataclass(frozen=True, slots=True)
class Finding:
    """One error of one command on one file of the corpus."""

    path: Path
    command: str
    function: str
    stage: str
    diagnostic: Diagnostic

    def __str__(self) -> str:
        found = self.diagnostic
        return f"{self.path.name}: {self.command}: {found.code} in `{self.function}`, {self.stage}"


def findings(folder: Path, corpus: Path = CORPUS) -> list[Finding]:
    """Every error that the commands of the corpus find, with its bundle in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = sorted(corpus.glob("*/*.mlir"))
    missing = missing_toolchains([str(path) for path in paths])
    return [
        finding
        for path in paths
        for command in run_lines(path.read_text(encoding="utf-8"))
        if needs(command, missing) is None
        for finding in _errors(path, command, _outcome(path, command, folder))
    ]


def _outcome(path: Path, command: str, folder: Path) -> Outcome:
    outcome = run_task(_task(path, command, folder))
    assert outcome.fault is None, outcome.fault
    return outcome


def _task(path: Path, command: str, folder: Path) -> Task:
    words = split(command)
    after: dict[str, str] = dict(pairwise(words))
    chosen: dict[str, Any] = {
        "bundle": str(folder),
        "split_input_file": "--split-input-file" in words,
    }
    if "--arguments" in after:
        chosen["arguments"] = after["--arguments"]
    pipeline = after.get("-p") or after.get("--passes")
    specs = steps_of(pipeline, is_whole="--whole-pipelines" in words) if pipeline else ()
    target = "" if words[1] == "tv" else None
    return Task(str(path), Options(**chosen), passes=tuple(specs), target=target)


def _errors(path: Path, command: str, outcome: Outcome) -> Iterator[Finding]:
    for file in outcome.files:
        for error in file.errors:
            yield Finding(path, command, "", "input", error)
        for function in file.functions:
            for stage in function.stages:
                for each in stage.diagnostics:
                    if severity_of(each.code) is Severity.ERROR:
                        yield Finding(path, command, function.name, stage.stage, each)
