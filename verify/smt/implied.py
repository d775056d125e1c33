"""Whether conditions follow from others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import z3

from verify.semantics.term import Condition
from verify.smt.encode import Encoder, Expr
from verify.smt.solver import Answer, Solution, Solver

Demand: TypeAlias = tuple[tuple[Condition, ...], tuple[Condition, ...]]
"""Where the first hold, the second must."""


def follow(given: Sequence[Demand], wanted: Sequence[Demand], solver: Solver) -> bool:
    """Whether all of `wanted` hold wherever all of `given` do, for all values of all variables."""
    encoder = _where(given)
    fails: list[Expr] = []
    for conditions, holds in wanted:
        runs, needed = _both(encoder, conditions, holds)
        fails.append(z3.And(runs, z3.Not(needed)))
    encoder.constraints.append(z3.Or(fails))
    return solver.ask(encoder, "implied")[0] is Answer.NONE


def example(given: Sequence[Demand], case: Sequence[Condition], solver: Solver) -> Solution | None:
    """Values of the variables with which `case` holds and so does all that is `given`."""
    encoder = _where(given)
    for condition in case:
        encoder.require(condition, {})
    answer, solution = solver.ask(encoder, "example")
    return solution if answer is Answer.FOUND else None


def _where(given: Sequence[Demand]) -> Encoder:
    encoder = Encoder()
    for conditions, holds in given:
        runs, needed = _both(encoder, conditions, holds)
        encoder.constraints.append(z3.Implies(runs, needed))
    return encoder


def _both(
    encoder: Encoder, conditions: Sequence[Condition], holds: Sequence[Condition]
) -> tuple[Expr, Expr]:
    runs = z3.And([encoder.condition(c, {}) for c in conditions])
    return runs, z3.And([encoder.condition(c, {}) for c in holds])
