"""Each oracle finds what it is there for, and is content with what is right."""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from fuzz import oracles
from fuzz.finding import Finding
from fuzz.oracles import replay
from fuzz.recipes import Draw, program_of, text_of
from fuzz.strategies import synchronous
from fuzz.subject import Limits, PutOffError, Subject, budget, subject_of, verdict_of
from verify.ir.frontend import read_text
from verify.toolchain.enzyme import is_installed
from verify.toolchain.native import has_jit
from verify.toolchain.outcome import PassOutcome
from verify.verdict import Verdict

CORPUS = Path(__file__).parents[3] / "corpus"
FIRST_FORM = "gpu-async-region{form=first}"
needs_enzyme = pytest.mark.skipif(not is_installed(), reason="enzyme-ad is not installed")


def subject(path: str) -> Subject:
    text = (CORPUS / path).read_text()
    return subject_of(text.split("// -----")[0], Limits())


def judge(oracle: str, about: Subject, *targets: str) -> list[Finding]:
    return list(oracles.load(oracle)(about, targets))


def with_result(about: Subject, target: str, text: str) -> Subject:
    """A subject of which a pass made that text."""
    about._outcomes[target] = PassOutcome(read_text(text))
    return about


def test_a_token_that_leaks_is_a_broken_invariant() -> None:
    found = judge("invariants", subject("passes/gpu_async_first_form_leaks.mlir"), FIRST_FORM)

    assert {"E0303"} == {f.code for f in found}
    assert any("E0203" in f.message for f in found)


def test_a_right_pass_breaks_nothing() -> None:
    about = subject("passes/gpu_async_diamond.mlir")

    for oracle in ("crash", "output", "refusal", "contract", "invariants", "equivalence"):
        assert [] == judge(oracle, about, "gpu-async-region")


def test_a_changed_constant_changes_what_a_function_does() -> None:
    source = "func.func @f() -> i32 { %c = arith.constant 1 : i32  return %c : i32 }"
    about = with_result(subject_of(source, Limits()), "mlir:x", source.replace("1 :", "2 :"))

    (found,) = judge("equivalence", about, "mlir:x")
    assert ("E0302", "compiler") == (found.code, found.blames)


def test_a_view_that_stays_outside_breaks_the_contract() -> None:
    text = (CORPUS / "unsafe/double_snapshot.mlir").read_text()
    target = "enzyme:sink-checkpoint-views"
    about = with_result(subject_of(text, Limits()), target, text)

    assert ["E0103"] == [f.code for f in judge("contract", about, target)]
    (found,) = judge("own-pass", about, target)
    assert "memref.subview" in found.message


@needs_enzyme
def test_a_compiler_that_dies_is_grouped_by_its_last_words() -> None:
    target = "enzyme:func.func(gpu-async-region)"
    found = judge("crash", subject("found/gpu_async_region_uses_freed_ops.mlir"), target)

    assert ["E0304"] == [f.code for f in found]


def test_a_wrong_proof_comes_apart_in_a_run() -> None:
    about = subject("unsafe/double_snapshot.mlir")
    assert [] == judge("replay", about)
    stages = about.verdicts()
    for name, stage in stages.items():
        stages[name] = replace(stage, verdict=Verdict.PROVEN, diagnostics=())

    (found,) = judge("replay", about)
    assert ("checker", "stale read") == (found.blames, found.shape)


def test_a_race_that_is_called_proven_comes_apart_on_a_schedule() -> None:
    about = subject("unsafe/gpu_host_reads_too_early.mlir")
    stages = about.verdicts()
    for name, stage in stages.items():
        stages[name] = replace(stage, verdict=Verdict.PROVEN, diagnostics=())

    assert any(f.shape.startswith("schedule") for f in judge("replay", about))


def test_a_verdict_that_hangs_on_names_is_found() -> None:
    about = subject("unsafe/double_snapshot.mlir")
    assert [] == judge("rewriting", about)
    stages = about.verdicts()
    for name, stage in stages.items():
        stages[name] = replace(stage, verdict=Verdict.PROVEN, diagnostics=())

    assert ["names", "generic form"] == [f.shape.split(":")[0] for f in judge("rewriting", about)]


def test_synchronous_programs_are_valid_and_mostly_right() -> None:
    subjects = [
        subject_of(synchronous.build(random.Random(f"valid/{k}")), Limits()) for k in range(40)
    ]

    assert [] == [s.parsed.errors for s in subjects if s.parsed.module is None]
    assert all(replay._STEPS > 0 for _ in subjects)


def spin_for_ever(module: str = "sys") -> None:
    import_module(module)
    while True:
        sum(range(100))


def test_a_budget_stops_what_takes_long_and_nothing_else() -> None:
    with pytest.raises(PutOffError), budget(0.02):
        spin_for_ever()
    with budget(5.0):
        assert 45 == sum(range(10))


def test_a_budget_leaves_no_import_halfway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_load.py").write_text("""
import time

def spin(depth, end):
    while time.process_time() < end:
        sum(range(1000))
        depth and spin(depth - 1, end)

spin(30, time.process_time() + 0.2)
IS_WHOLE = True
""")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PutOffError), budget(0.02):
        spin_for_ever("slow_to_load")

    assert sys.modules.pop("slow_to_load").IS_WHOLE


def test_a_race_that_only_changes_its_code_is_not_broken() -> None:
    text = """
gpu.module @kernels {
  gpu.func @k(%a: memref<8xf32>, %v: f32) kernel {
    %i = gpu.thread_id x
    memref.store %v, %a[%i] : memref<8xf32>
    gpu.return
  }
}
func.func @f(%m: memref<8xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %t = async.execute {
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xf32>, %v : f32)
    async.yield
  }
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xf32>, %v : f32)
  async.await %t : !async.token
  return
}
"""  # noqa: E501 - one op a line
    about = subject_of(f"module attributes {{gpu.container_module}} {{{text}}}", Limits())

    before = {d.code for s in about.verdicts().values() for d in s.diagnostics}
    assert before & {"E0201", "E0202"}
    assert [] == judge("invariants", about, "gpu-async-region")


def drawn(family: str, number: int) -> Subject:
    recipe = Draw(family, f"oracles/{number}", (), 0.3)
    about = subject_of(text_of(recipe), Limits())
    about.program = program_of(recipe)
    return about


def with_verdict(about: Subject, verdict: Verdict) -> Subject:
    stages = about.verdicts()
    for name, stage in stages.items():
        stages[name] = replace(stage, verdict=verdict, diagnostics=())
    return about


@pytest.mark.parametrize("family", ["tokens", "checkpointed"])
def test_the_reference_knows_a_wrong_proof_of_a_drawn_program(family: str) -> None:
    found: list[Finding] = []
    for number in range(12):
        about = drawn(family, number)
        assert [] == judge("reference", about)
        if verdict_of(about.verdicts()) is Verdict.REFUTED:
            found += judge("reference", with_verdict(about, Verdict.PROVEN))

    assert any(f.shape.startswith("wrong proven") for f in found)


def test_a_text_that_was_not_drawn_has_no_reference() -> None:
    about = subject("unsafe/double_snapshot.mlir")

    assert [] == judge("reference", about)
    assert [] == judge("native", about)


@pytest.mark.skipif(not has_jit(), reason="MLIR's JIT is not installed")
def test_lowered_code_does_what_the_interpreter_does() -> None:
    found: list[Finding] = []
    for number in range(12):
        about = drawn("checkpointed", number)
        assert [] == judge("native", about)
        about.text = about.text.replace("arith.addf", "arith.subf").replace("subi", "addi")
        found += judge("native", about)

    assert found
