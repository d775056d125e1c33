"""A stand-in for the checks: what it finds is told by the names of the functions."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.dialects.func import FuncOp

from verify.diagnostic import Diagnostic, Location
from verify.result import StageResult
from verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CheckOptions:
    arguments: str = "no-alias"
    solver_timeout_s: float = 5.0
    emit_smt2: Path | None = None
    explain_proof: bool = False
    recipes: bool = False


def check_module(
    module: ModuleOp, options: CheckOptions, stage: str = "input"
) -> list[tuple[str, StageResult]]:
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    return [(each.sym_name.data, _result(each, stage)) for each in functions]


def _result(function: FuncOp, stage: str) -> StageResult:
    name = function.sym_name.data
    place = function.location
    assert isinstance(place, FileLineColLoc)
    location = Location(place.filename.data, place.line.data, place.column.data)
    found = {
        "refuted": (Verdict.REFUTED, "E0101"),
        "undecided": (Verdict.UNDECIDED, "U0002"),
        "warned": (Verdict.PROVEN, "W0102"),
        "assumed": (Verdict.PROVEN, "N0001"),
    }
    kind = name.split("_")[0]
    if kind == "crash":
        raise RuntimeError("made to fail")
    if kind == "die":
        os._exit(9)
    if kind == "interrupt":
        raise KeyboardInterrupt
    if kind == "broken" and stage != "input":
        kind = "refuted"
    if kind == "cured" and stage == "input":
        kind = "refuted"
    if kind not in found:
        return StageResult(stage, Verdict.PROVEN)
    verdict, code = found[kind]
    return StageResult(stage, verdict, (Diagnostic(code, f"about {name}", name, stage, location),))


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    contents: dict[str, dict[str, Any]] = {
        "verify.checks.run": {"check_module": check_module},
        "verify.checks.options": {"CheckOptions": CheckOptions},
        "verify.refine.equivalence": {"compare_modules": lambda *_, **__: []},
    }
    for name, attributes in contents.items():
        module = ModuleType(name)
        vars(module).update(attributes)
        monkeypatch.setitem(sys.modules, name, module)


def functions(*names: str) -> str:
    return "".join(f"func.func @{name}() {{\n  return\n}}\n" for name in names)
