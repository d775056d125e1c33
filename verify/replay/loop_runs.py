"""Loops that can be run from any iteration on, for the concrete machine and its replays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from xdsl.ir import Operation, Region

if TYPE_CHECKING:
    from verify.replay.concrete import ConcreteMachine


class OutOfStepsError(Exception):
    """A run took more steps than it was given."""


class LoopRun(Protocol):
    """A loop that can be run from any iteration on."""

    def start(self) -> Any: ...
    def step(self, state: Any) -> Any:
        """The state after one more iteration, or `None` when the loop has ended."""
        ...

    def results(self, state: Any) -> Sequence[Any]: ...
    def carried(self, state: Any) -> list[Any]:
        """The values that the next iteration starts from."""
        ...

    def with_carried(self, state: Any, values: list[Any]) -> Any:
        """The same iteration from other carried values."""
        ...


def run_to_end(m: ConcreteMachine, run: LoopRun) -> Sequence[Any]:
    """Run a loop from its start to its end."""
    state = run.start()
    while True:
        after = run.step(state)
        if after is None:
            return run.results(state)
        state = after
        m.steps_left -= 1
        if m.steps_left < 0:
            raise OutOfStepsError


class ForRun:
    """State: the induction variable and the carried values."""

    def __init__(
        self,
        m: ConcreteMachine,
        lower: int,
        upper: int,
        step: int,
        initial: Sequence[Any],
        region: Region,
    ) -> None:
        self.m, self.lower, self.upper, self.step_size = m, lower, upper, step
        self.initial, self.region = initial, region

    def start(self) -> tuple[int, list[Any]]:
        return self.lower, list(self.initial)

    def step(self, state: tuple[int, list[Any]]) -> tuple[int, list[Any]] | None:
        at, carried = state
        if at >= self.upper:
            return None
        return at + self.step_size, list(self.m.run_region(self.region, [at, *carried]))

    def results(self, state: tuple[int, list[Any]]) -> Sequence[Any]:
        return state[1]

    def carried(self, state: tuple[int, list[Any]]) -> list[Any]:
        """The values that the next iteration starts from."""
        return state[1]

    def with_carried(
        self, state: tuple[int, list[Any]], values: list[Any]
    ) -> tuple[int, list[Any]]:
        """The same iteration from other carried values."""
        return state[0], values


class WhileRun:
    """State: the values that the first region gets; results come from its condition."""

    def __init__(self, m: ConcreteMachine, op: Operation, initial: Sequence[Any]) -> None:
        self.m, self.initial = m, initial
        self.before, self.after = op.regions
        self.last: list[Any] = []

    def start(self) -> list[Any]:
        return list(self.initial)

    def step(self, state: list[Any]) -> list[Any] | None:
        going, *handed = self.m.run_region(self.before, state)
        self.last = handed
        if not going:
            return None
        return list(self.m.run_region(self.after, handed))

    def results(self, state: list[Any]) -> Sequence[Any]:
        return self.last

    def carried(self, state: list[Any]) -> list[Any]:
        """The values that the next iteration starts from."""
        return state

    def with_carried(self, state: list[Any], values: list[Any]) -> list[Any]:
        """The same iteration from other carried values."""
        return values


class GridRun:
    """State: the number of the point and the accumulated values."""

    def __init__(
        self,
        m: ConcreteMachine,
        bounds: Sequence[tuple[int, int, int]],
        initial: Sequence[Any],
        body: Callable[[Sequence[Any], Sequence[Any]], Sequence[Any]],
    ) -> None:
        self.bounds, self.initial, self.body = bounds, initial, body
        self.ranges = [range(a, b, s) for a, b, s in bounds]
        self.count = 1
        for part in self.ranges:
            self.count *= len(part)
        self.m = m

    def start(self) -> tuple[int, list[Any]]:
        return 0, list(self.initial)

    def step(self, state: tuple[int, list[Any]]) -> tuple[int, list[Any]] | None:
        number, accumulated = state
        if number >= self.count:
            return None
        point: list[int] = []
        rest = number
        for part in reversed(self.ranges):
            rest, place = divmod(rest, len(part))
            point.insert(0, part[place])
        return number + 1, list(self.body(point, accumulated))

    def results(self, state: tuple[int, list[Any]]) -> Sequence[Any]:
        return state[1]

    def carried(self, state: tuple[int, list[Any]]) -> list[Any]:
        """The accumulated values."""
        return state[1]

    def with_carried(
        self, state: tuple[int, list[Any]], values: list[Any]
    ) -> tuple[int, list[Any]]:
        """The same point from other accumulated values."""
        return state[0], values
