"""Verdicts on drawn programs hold when the programs are run; `make brute-force` runs many more."""

import os
import random

from hypothesis import HealthCheck, assume, given, settings

from fuzz.references.replay_verdicts import is_sensible, judge
from fuzz.references.replays import Inputs, observe
from fuzz.strategies import syntax as s
from fuzz.strategies.checkpointed import build, programs
from fuzz.strategies.rendering import render

PROGRAMS = int(os.environ.get("VERIFY_IR_PROGRAMS", "150"))


@settings(
    max_examples=PROGRAMS,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(programs())
def test_no_verdict_is_contradicted_by_a_run(program: s.Program) -> None:
    assume(is_sensible(program))

    judgement = judge(program, tries=20)

    assert [] == judgement.faults, f"{judgement.evidence}\n{render(program)}"


def double_snapshot(*, is_read_through_view: bool) -> s.Program:
    """Writes element 0 of a buffer in each iteration after reading it, by one name or by two."""
    read = "view" if is_read_through_view else "buffer"
    body = (
        s.Load("y", read, (s.Const(0),)),
        s.Store(s.Mix("f32", ("y",), s.Const(1)), "buffer", (s.Const(0),)),
    )
    return s.Program(
        (s.Parameter("n", "index"), s.Parameter("buffer", s.MemType("f32", (4,)))),
        (
            s.Subview("view", "buffer", (0,), (1,), (1,), (0,)),
            s.Loop("scf.for", "i", s.Const(0), s.Var("n"), s.Const(1), body, is_checkpointed=True),
        ),
    )


def test_the_reference_finds_a_double_snapshot() -> None:
    seen = observe(double_snapshot(is_read_through_view=True), Inputs(0, {"n": 3}))

    assert seen.divergence.startswith("loop i, from iteration 0")
    assert {("i", "view", "buffer")} == seen.overlapping


def test_the_reference_is_content_with_one_capture() -> None:
    seen = observe(double_snapshot(is_read_through_view=False), Inputs(0, {"n": 3}))

    assert not seen.divergence
    assert seen.is_defined


def test_the_reference_needs_two_iterations_for_a_stale_read() -> None:
    seen = observe(double_snapshot(is_read_through_view=True), Inputs(0, {"n": 1}))

    assert not seen.divergence


def test_the_same_seed_draws_the_same_program() -> None:
    assert build(random.Random(5)) == build(random.Random(5))
