"""Drawn programs are valid for real compilers, defined, and show all that they should.

`VERIFY_IR_PROGRAMS=2000 pytest --timeout=0 tests/unit/fuzz/test_strategies_accepted.py` draws more
of each family.
"""

from __future__ import annotations

import os
from functools import cache

import pytest

from fuzz.coverage import features_of
from fuzz.recipes import FAMILIES, Draw, text_of
from tests.unit.fuzz.breadth import missing
from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.ir.frontend import has_bindings, read_text
from verify.ir.module import ParsedModule
from verify.model.symbols import collect_symbols
from verify.replay.inputs import Inputs
from verify.replay.run import run_function
from verify.toolchain.enzyme import is_installed
from verify.toolchain.outcome import RunOptions
from verify.toolchain.registry import run_pass

PROGRAMS = int(os.environ.get("VERIFY_IR_PROGRAMS", "60"))
SHOWN = max(PROGRAMS, 700)
ACCEPTED, DEFINED = 0.99, 0.97
SIZES = (0.3, 0.6, 1.0)

pytestmark = pytest.mark.skipif(
    not has_bindings(), reason="MLIR's Python bindings are not installed"
)
needs_enzyme = pytest.mark.skipif(not is_installed(), reason="enzyme-ad is not installed")


@cache
def text(family: str, number: int) -> str:
    return text_of(Draw(family, f"77/{number}", (), SIZES[number % 3]))


@cache
def drawn(family: str, number: int) -> ParsedModule:
    return read_text(text(family, number), f"{family}-{number}.mlir")


@pytest.mark.parametrize("family", FAMILIES)
def test_mlir_accepts_what_is_drawn(family: str) -> None:
    refused = [n for n in range(PROGRAMS) if drawn(family, n).module is None]

    assert len(refused) <= (1 - ACCEPTED) * PROGRAMS, refused


@needs_enzyme
def test_enzyme_accepts_whole_programs() -> None:
    """They have ops of Enzyme's own, which MLIR alone cannot verify."""
    refused: list[tuple[int, str]] = []
    for number in range(PROGRAMS):
        outcome = run_pass("enzyme:symbol-dce", drawn("whole", number), RunOptions(20.0))
        refused += [(number, each.message) for each in outcome.diagnostics[:1]]

    assert len(refused) <= (1 - ACCEPTED) * PROGRAMS, refused


@pytest.mark.parametrize("family", FAMILIES)
def test_the_checker_stands_what_is_drawn(family: str) -> None:
    for number in range(PROGRAMS if family == "whole" else PROGRAMS // 5):
        module = drawn(family, number).module
        assert module is not None
        stages = check_module(module, CheckOptions(solver_timeout_s=0.2))
        codes = {d.code for stage in dict(stages).values() for d in stage.diagnostics}
        assert "U0004" not in codes, number


def test_whole_programs_are_defined() -> None:
    undefined: list[tuple[int, str]] = []
    for number in range(PROGRAMS):
        module = drawn("whole", number).module
        assert module is not None
        symbols = collect_symbols(module)
        run = run_function(symbols["f"], symbols, Inputs(seed=1000, scale=2), max_steps=4000)
        undefined += [(number, run.reason)] if run.status == "undefined" else []

    assert len(undefined) <= (1 - DEFINED) * PROGRAMS, undefined


def test_whole_programs_show_everything() -> None:
    seen: set[str] = set()
    for number in range(SHOWN):
        module = drawn("whole", number).module
        seen |= features_of(module) if module is not None else set()

    assert [] == missing(seen)
