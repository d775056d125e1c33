"""Verdicts on drawn token programs hold in all their runs on small inputs."""

import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from fuzz.references.order_verdicts import case_of, judge
from fuzz.references.orders import Inputs, run, violations
from fuzz.references.schedules import differs
from fuzz.strategies import token_syntax as s
from fuzz.strategies.token_rendering import render
from fuzz.strategies.tokens import build, programs
from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.ir.frontend import read_text

FOUND = Path(__file__).parent / "found"
PROGRAMS = int(os.environ.get("VERIFY_IR_PROGRAMS", "200"))


@settings(
    max_examples=PROGRAMS,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(programs())
def test_no_verdict_is_contradicted_by_a_run(program: s.Program) -> None:
    judgement = judge(program)

    assert [] == judgement.faults, "\n".join([*judgement.evidence, render(program)])


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.mlir")), ids=lambda path: path.stem)
def test_faults_of_the_checker_stay_cured(path: Path) -> None:
    text = path.read_text()
    expected = re.findall(r"[EUW]\d{4}", text.split(".", 1)[0])
    module = read_text(text).module
    assert module is not None

    stage = dict(check_module(module, CheckOptions()))["f"]

    assert expected == sorted({d.code for d in stage.diagnostics if d.code[0] in "EUW"})
    assert len(expected) == 0 or stage.verdict.value == "refuted"


def two_fills(*, is_chained: bool, is_waited: bool = True) -> s.Program:
    """Two fills of one buffer, the second with or without the token of the first."""
    deps = ("t0",) if is_chained else ()
    body: tuple[s.Statement, ...] = (
        s.Fill("m", "v", (), "t0"),
        s.Fill("m", "w", deps, "t1"),
        *([s.Wait(("t0", "t1"))] if is_waited else []),
    )
    parameters = (s.Name("m", s.MemType(8, "1")), s.Name("v", "f32"), s.Name("w", "f32"))
    return s.Program(parameters, body)


def codes(program: s.Program) -> set[str]:
    return case_of(program).codes()


def test_the_reference_is_content_with_a_chain() -> None:
    assert not codes(two_fills(is_chained=True))
    assert differs(run(two_fills(is_chained=True), Inputs()), random.Random(0)) is None


def test_the_reference_finds_a_race_and_sees_it_in_memory() -> None:
    program = two_fills(is_chained=False)

    assert {"E0201"} == codes(program)
    assert differs(run(program, Inputs()), random.Random(0)) is not None


def test_the_reference_finds_work_left_at_the_return() -> None:
    assert {"E0203"} == codes(two_fills(is_chained=True, is_waited=False))


def test_a_returned_token_speaks_for_what_it_follows() -> None:
    program = two_fills(is_chained=True, is_waited=False)
    returning = s.Program(program.parameters, program.body, (s.Name("t1", s.TOKEN),))

    assert not codes(returning)


def test_a_task_does_not_wait_for_its_device_work() -> None:
    body = (s.Execute("a", (), (), (s.Fill("m", "v", (), "t0"),)), s.Await("a"))
    parameters = (s.Name("m", s.MemType(8)), s.Name("v", "f32"))

    assert {"E0203"} == codes(s.Program(parameters, body))


def test_a_loop_that_yields_its_old_token_races_with_itself() -> None:
    loop = s.Loop(
        "for",
        "i",
        "n",
        (s.Carried("k", s.TOKEN, "t", "r"),),
        (s.Fill("m", "v", ("k",), "t1"),),
        ("k",),
    )
    parameters = (s.Name("m", s.MemType(8)), s.Name("n", "index"), s.Name("v", "f32"))
    program = s.Program(parameters, (s.Join("t", ()), loop, s.Wait(("r",))))

    assert {"E0201", "E0203"} == codes(program)
    assert not violations(run(program, Inputs({"n": 0})))


def test_the_same_seed_draws_the_same_program() -> None:
    assert build(random.Random(5)) == build(random.Random(5))
