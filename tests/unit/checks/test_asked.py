"""Which checks a function is asked: only those that have something to look at."""

from pathlib import Path

import pytest

from tests.unit.checks.checking import ROW, check, function
from verify.checklist import OF_LOOPS, answers
from verify.config import Options
from verify.driver import Task, run_task
from verify.verdict import Verdict, combine

CORPUS = Path(__file__).parents[3] / "corpus"
TOKENS = """
func.func @f(%a: memref<8xf32, 1>, %v: f32) {{
  %t = gpu.wait async
  {alloc}
  %s = gpu.memset async [%t] %a, %v : memref<8xf32, 1>, f32
  gpu.wait [%s]
  return
}}
"""


def test_a_function_without_loops_and_tokens_is_asked_nothing() -> None:
    assert () == check("func.func @f(%a: memref<8xf32>) { return }").asked


def test_a_checkpointed_loop_is_asked_about_its_snapshots() -> None:
    text = function(f"%a: {ROW}", "", f"memref.store %f, %a[%i] : {ROW}")

    assert OF_LOOPS == check(text).asked


def test_asynchronous_work_is_asked_for_its_order_and_waits() -> None:
    assert ("order", "waits") == check(TOKENS.format(alloc="")).asked


def test_asynchronous_memory_is_asked_for_its_lifetime_too() -> None:
    alloc = "%m, %u = gpu.alloc async [%t] () : memref<8xf32, 1>"

    assert ("order", "lifetime", "waits") == check(TOKENS.format(alloc=alloc)).asked


@pytest.mark.parametrize("passes", [(), ("sink-checkpoint-views",)])
def test_the_verdict_of_a_stage_is_the_worst_of_its_checks(passes: tuple[str, ...]) -> None:
    """Over the corpus; nothing stands outside the columns."""
    odd = [
        (path.name, function.name, stage.stage, found)
        for path in sorted(CORPUS.glob("*/*.mlir"))
        for file in run_task(Task(str(path), Options(), passes=passes)).files
        for function in file.functions
        for stage in function.stages
        for found in [answers(stage)]
        if combine(answer.verdict for answer in found.values()) is not stage.verdict
        or "other" in found
    ]

    assert [] == odd


def test_a_pass_is_asked_for_its_contract_where_it_has_one() -> None:
    path = str(CORPUS / "unsafe" / "double_snapshot.mlir")
    (file,) = run_task(Task(path, Options(), passes=("sink-checkpoint-views",))).files
    first, last = (answers(stage) for stage in file.functions[0].stages)

    assert "contract" not in first
    assert "equivalence" not in first
    assert Verdict.PROVEN is last["contract"].verdict
    assert Verdict.PROVEN is last["equivalence"].verdict


def test_what_a_pass_died_on_is_its_contract() -> None:
    path = str(CORPUS / "passes" / "gpu_async_refuses_wait.mlir")
    (file,) = run_task(Task(path, Options(), passes=("gpu-async-region",))).files

    assert "E0301" == answers(file.functions[-1].stages[-1])["contract"].text
