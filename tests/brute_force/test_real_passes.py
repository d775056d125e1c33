"""What real passes do to drawn functions is right, and is proven in nearly all cases."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

from tests.conformance.programs import functions
from verify.checks.options import CheckOptions
from verify.ir.frontend import read_text
from verify.refine.equivalence import compare_modules
from verify.verdict import Verdict, combine

PROGRAMS = int(os.environ.get("VERIFY_IR_PROGRAMS", "120")) // 6
PASSES = ("canonicalize", "cse", "loop-invariant-code-motion", "sccp")


def after(text: str, name: str) -> str:
    """A module after one pass of MLIR."""
    from mlir import ir, passmanager

    with ir.Context():
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(f"builtin.module({name})").run(module.operation)
        return str(module)


@pytest.mark.slow
@pytest.mark.parametrize("name", PASSES)
def test_a_right_pass_is_never_refuted_and_mostly_proven(name: str) -> None:
    pytest.importorskip("mlir.passmanager", reason="MLIR's bindings are not installed")
    seen: Counter[Verdict] = Counter()

    @settings(
        max_examples=PROGRAMS,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(functions())
    def run(text: str) -> None:
        source, target = read_text(text).module, read_text(after(text, name)).module
        assert source is not None
        assert target is not None
        found = compare_modules(source, target, CheckOptions(), f"after:{name}", name)
        verdict = combine(result.verdict for _, result in found)
        assert verdict is not Verdict.REFUTED, text
        seen[verdict] += 1

    run()
    assert seen[Verdict.PROVEN] >= 0.8 * seen.total()
