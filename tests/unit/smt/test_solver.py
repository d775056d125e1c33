"""Asking the solver: answers, small solutions, limits, and files for other solvers."""

from __future__ import annotations

from pathlib import Path

from verify.semantics import term as t
from verify.semantics.algebra import SymbolicAlgebra
from verify.semantics.term import BoolVar, Truth, Var
from verify.smt.encode import Encoder
from verify.smt.solver import Answer, Solver


def encoder_of(*conditions: t.Condition) -> Encoder:
    """A query of these conditions."""
    encoder = Encoder()
    for condition in conditions:
        encoder.require(condition, {})
    return encoder


def test_a_contradiction_has_no_solution() -> None:
    x = Var("x").term()
    answer, solution = Solver().ask(encoder_of(t.less(x, 3), t.less(4, x)))

    assert (answer, solution) == (Answer.NONE, None)


def test_small_values_are_preferred() -> None:
    x = Var("x", -(1 << 63), 1 << 63)
    _, solution = Solver().ask(encoder_of(t.at_most(2, x.term())))

    assert solution is not None
    assert 2 <= solution.numbers[x][0] <= 4


def test_a_solution_names_the_truth_values() -> None:
    flag = BoolVar("flag")
    _, solution = Solver().ask(encoder_of(t.negation(Truth(flag))))

    assert solution is not None
    assert solution.truths == {flag: False}


def test_a_variable_brings_its_bounds_and_facts() -> None:
    remainder = Var("r", 0, 4)
    x = SymbolicAlgebra().wrap(Var("x", 1000, 1000).term() + remainder.term(), 8)
    answer, _ = Solver().ask(encoder_of(t.equal(x, -17)))

    assert answer is Answer.NONE


def test_a_variable_has_one_value_for_each_iteration_that_is_named() -> None:
    x = Var("x", 0, 9, (7,)).term()
    encoder = Encoder()
    encoder.require(t.equal(x, 1), {7: "a"})
    encoder.require(t.equal(x, 2), {7: "b"})

    assert Solver().ask(encoder)[0] is Answer.FOUND
    encoder.require(t.equal(x, 2), {7: "a"})
    assert Solver().ask(encoder)[0] is Answer.NONE


def test_a_query_is_written_once_with_the_answer_as_its_status(tmp_path: Path) -> None:
    x = Var("x").term()
    queries = [encoder_of(t.less(x, 3)), encoder_of(t.less(x, 3), t.less(4, x))]
    for _ in range(2):
        for encoder in queries:
            Solver(emit=tmp_path).ask(encoder, "overlap")
    texts = [p.read_text() for p in tmp_path.iterdir()]

    assert sorted("unsat" if ":status unsat" in text else "sat" for text in texts) == [
        "sat",
        "unsat",
    ]
