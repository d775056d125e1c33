"""Asking Z3: one fresh solver a query, a time limit, and small models first."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from pathlib import Path

import z3

from verify.semantics.term import BoolVar, Var
from verify.smt.encode import Encoder, Expr, within

RANGES = (
    (0, 1),
    (0, 2),
    (0, 4),
    (-2, 2),
    (0, 12),
    (-12, 12),
    (-64, 64),
    (-1024, 1024),
    (-(1 << 33), 1 << 33),
)
"""Within which all numbers of a solution are wanted, best first."""

_SMALLER_MS = 100


class Answer(Enum):
    """What the solver says of a query: no solution, one found, or no answer in time."""

    NONE = "unsat"
    FOUND = "sat"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Solution:
    """Values of the variables of a query; a variable of several iterations has several."""

    numbers: dict[Var, list[int]] = field(default_factory=dict)
    truths: dict[BoolVar, bool] = field(default_factory=dict)


class Solver:
    """Answers queries within `timeout_s` seconds each; writes them to `emit` as SMT-LIB.

    A file states Z3's answer as its `:status`.
    """

    def __init__(self, timeout_s: float = 5.0, emit: Path | None = None) -> None:
        self.timeout_s = timeout_s
        self.emit = emit
        self.queries = 0

    def ask(
        self, encoder: Encoder, name: str = "query", *, is_last: bool = True
    ) -> tuple[Answer, Solution | None]:
        """Whether the constraints of `encoder` have a solution.

        Small values are preferred where the question `is_last`, so that the solution will be used.
        """
        self.queries += 1
        answer, solver = self._checked(encoder.constraints)
        if self.emit is not None:
            _write(self.emit, name, solver, answer)
        if answer is not Answer.FOUND:
            return answer, None
        if not is_last:
            return answer, _solution(solver.model(), encoder)
        return answer, self._small(solver, encoder)

    def _checked(self, constraints: Sequence[z3.BoolRef]) -> tuple[Answer, z3.Solver]:
        """The answer, and who gave it.

        The plain solver goes first, with half of the time: most queries are small, and it starts
        without the tactics of the other, which cost more than such a query.
        """
        solver = z3.SimpleSolver()
        answer = self._check(solver, constraints)
        if answer is Answer.UNKNOWN:
            solver = z3.Solver()
            answer = self._check(solver, constraints)
        return answer, solver

    def _check(self, solver: z3.Solver, constraints: Sequence[z3.BoolRef]) -> Answer:
        limit_s = max(0.001, self.timeout_s / 2)
        solver.set("timeout", int(limit_s * 1000))
        solver.add(constraints)
        begin = time.monotonic()
        answer = _answer(solver.check())
        if answer is Answer.UNKNOWN and _is_stopped(solver, time.monotonic() - begin, limit_s):
            raise KeyboardInterrupt  # Z3 takes the signal for itself
        return answer

    def _small(self, solver: z3.Solver, encoder: Encoder) -> Solution:
        model = solver.model()
        exprs = [e for v, e in encoder.instances.values() if isinstance(v, Var) and _is_free(v)]
        for low, high in RANGES:
            solver.push()
            solver.set("timeout", _SMALLER_MS)
            solver.add(_within(exprs, low, high))
            found = solver.check() == z3.sat
            if found:
                model = solver.model()
            solver.pop()
            if found:
                break
        return _solution(model, encoder)


def _write(folder: Path, name: str, solver: z3.Solver, answer: Answer) -> None:
    """The query with its answer; the name comes from its text, so that no two queries share one."""
    query = solver.to_smt2()
    digest = sha256(query.encode()).hexdigest()[:16]
    stated = query.replace("(set-info :status unknown)", f"(set-info :status {answer.value})", 1)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-{digest}.smt2").write_text("(set-logic ALL)\n" + stated)


def _is_stopped(solver: z3.Solver, taken_s: float, limit_s: float) -> bool:
    """Whether somebody stopped a check; the plain solver says the same when its time is over."""
    reason = solver.reason_unknown()
    return "interrupted" in reason or ("canceled" in reason and taken_s < 0.8 * limit_s)


def _is_free(var: Var) -> bool:
    return not var.facts


def _within(exprs: Sequence[Expr], low: int, high: int) -> list[Expr]:
    return [bound for e in exprs for bound in within(e, low, high)]


def _answer(result: z3.CheckSatResult) -> Answer:
    if result == z3.sat:
        return Answer.FOUND
    return Answer.NONE if result == z3.unsat else Answer.UNKNOWN


def _solution(model: z3.ModelRef, encoder: Encoder) -> Solution:
    solution = Solution()
    for var, expr in encoder.instances.values():
        value: Expr = model.eval(expr, model_completion=True)
        if isinstance(var, Var):
            solution.numbers.setdefault(var, []).append(value.as_long())
        else:
            solution.truths[var] = z3.is_true(value)
    return solution
