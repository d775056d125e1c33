"""Looking for a schedule that shows a race, and the smallest inputs for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from xdsl.ir import Operation

from verify.checks.search import Search
from verify.replay.inputs import Inputs
from verify.replay.schedule import Difference, Pair, Trace, compare, inverted, run_schedule
from verify.replay.scheduler import PROGRAM_ORDER, Order
from verify.smt.solver import Solution

SHARED = 8
MOST_STEPS = 8_000
MOST_SMALLER = 20


@dataclass(frozen=True, slots=True)
class Shown:
    """A schedule that gives another result than program order does."""

    inputs: Inputs
    trace: Trace
    difference: Difference
    order: Order
    pair: Pair | None = None


class ScheduleSearch:
    """Runs of one function on chosen schedules; runs in program order are kept."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.blocked = ""
        self._shared: list[Inputs] | None = None
        self._traces: dict[tuple[int, Order], tuple[Inputs, Trace]] = {}

    def show(
        self,
        late: Operation,
        solution: Solution | None,
        kinds: tuple[str, ...],
        wanted: Operation | None = None,
        pair: Pair | None = None,
    ) -> Shown | None:
        """A difference of one of `kinds` on a schedule in which `late` comes as late as it can.

        With `pair`, these two accesses must have run the other way round.
        """
        for number, inputs in enumerate(self._inputs(solution)):
            found = self._try(inputs, late, kinds, wanted, number, pair)
            if found is not None:
                return self._smaller(found, late, kinds, wanted, number, pair)
        return None

    def _inputs(self, solution: Solution | None) -> Iterator[Inputs]:
        """What a solution asks for, then a few that all suspicions share."""
        if solution is not None:
            yield from islice(self.search.candidates(solution), 3)
        if self._shared is None:
            drawn = islice(self.search.candidates(None), SHARED)
            self._shared = [*drawn, *self.search.uniform()]
        yield from self._shared

    def _try(
        self,
        inputs: Inputs,
        late: Operation,
        kinds: tuple[str, ...],
        wanted: Operation | None,
        number: int,
        pair: Pair | None,
    ) -> Shown | None:
        expected = self._run(inputs, PROGRAM_ORDER)
        if expected.status != "ran":
            self.blocked = expected.reason if expected.status == "unsupported" else self.blocked
            return None
        early = None if pair is None else pair.second_event
        for order in _orders(late, early, number):
            trace = self._run(inputs, order)
            turned = None if pair is None else inverted(expected, trace, pair)
            is_fault = pair is not None and pair.explains(trace)
            if pair is not None and turned is None and not is_fault:
                continue
            for difference in compare(expected, trace):
                if difference.kind in kinds and (wanted is None or wanted in trace.open):
                    return Shown(inputs, trace, difference, order, pair)
            if turned is not None:
                return Shown(inputs, trace, turned, order, pair)
        return None

    def _run(self, inputs: Inputs, order: Order) -> Trace:
        """One run; the same schedule of the same inputs runs once."""
        key = (id(inputs), order)
        if key not in self._traces:
            op, symbols = self.search.model.op, self.search.symbols
            steps = min(MOST_STEPS, self.search.effort.steps)
            trace = run_schedule(op, symbols, inputs, order.scheduler(), steps)
            self._traces[key] = (inputs, trace)  # keeps `inputs`, and so its identity, alive
        return self._traces[key][1]

    def _smaller(
        self,
        found: Shown,
        late: Operation,
        kinds: tuple[str, ...],
        wanted: Operation | None,
        number: int,
        pair: Pair | None,
    ) -> Shown:
        budget = min(MOST_SMALLER, self.search.effort.smaller)
        tried: set[tuple[object, int]] = set()
        changed = True
        while changed and budget > 0:
            changed = False
            for inputs in self.search.reductions(found.inputs, found.trace.arguments, tried):
                budget -= 1
                smaller = self._try(inputs, late, kinds, wanted, number, pair)
                if smaller is not None:
                    found, changed = smaller, True
                    break
                if budget <= 0:
                    break
        return found


def _orders(late: Operation, early: Operation | None, number: int) -> Iterator[Order]:
    """First the one that changes least, then lazier and random ones."""
    yield Order(late=late)
    yield Order(is_lazy=True)
    if early is not None:
        yield Order(is_lazy=True, early=early)
    for seed in (2 * number, 2 * number + 1):
        yield Order(seed=seed)
