"""Looking for a schedule that shows a race, and the smallest inputs for it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation

from verify.checks.search import Search
from verify.replay.inputs import Inputs
from verify.replay.schedule import Difference, Trace, compare, run_schedule
from verify.replay.scheduler import Scheduler
from verify.smt.solver import Solution


@dataclass(frozen=True, slots=True)
class Shown:
    """A schedule that gives another result than program order does."""

    inputs: Inputs
    trace: Trace
    difference: Difference


class ScheduleSearch:
    """Runs of one function on chosen schedules; runs in program order are kept."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.blocked = ""
        self._baselines: dict[int, Trace] = {}

    def show(
        self,
        late: Operation,
        solution: Solution | None,
        kinds: tuple[str, ...],
        wanted: Operation | None = None,
    ) -> Shown | None:
        """A difference of one of `kinds` on a schedule in which `late` comes as late as it can."""
        for number, inputs in enumerate(self.search.candidates(solution)):
            if number >= self.search.runs:
                break
            found = self._try(inputs, late, kinds, wanted, number)
            if found is not None:
                return self._smaller(found, late, kinds, wanted, number)
        return None

    def _try(
        self,
        inputs: Inputs,
        late: Operation,
        kinds: tuple[str, ...],
        wanted: Operation | None,
        number: int,
    ) -> Shown | None:
        expected = self._run(inputs, Scheduler())
        if expected.status != "ran":
            self.blocked = expected.reason if expected.status == "unsupported" else self.blocked
            return None
        for scheduler in _schedulers(late, number):
            trace = self._run(inputs, scheduler)
            for difference in compare(expected, trace):
                if difference.kind in kinds and (wanted is None or wanted in trace.open):
                    return Shown(inputs, trace, difference)
        return None

    def _run(self, inputs: Inputs, scheduler: Scheduler) -> Trace:
        model = self.search.model
        return run_schedule(model.op, self.search.symbols, inputs, scheduler)

    def _smaller(
        self,
        found: Shown,
        late: Operation,
        kinds: tuple[str, ...],
        wanted: Operation | None,
        number: int,
    ) -> Shown:
        budget = 20
        changed = True
        while changed and budget > 0:
            changed = False
            for inputs in self.search.reductions(found.inputs, found.trace.arguments):
                budget -= 1
                smaller = self._try(inputs, late, kinds, wanted, number)
                if smaller is not None:
                    found, changed = smaller, True
                    break
                if budget <= 0:
                    break
        return found


def _schedulers(late: Operation, number: int) -> Iterator[Scheduler]:
    """First the one that changes least, then lazier and random ones."""
    yield Scheduler(late=frozenset({late}))
    yield Scheduler(is_lazy=True)
    if number:
        yield Scheduler(draw=random.Random(number))
