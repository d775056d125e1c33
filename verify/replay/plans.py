"""Which iterations of a checkpointed loop are replayed, and from which snapshots.

`every` replays from every iteration to the end, which is what faithful means. `periodic:N` keeps
a snapshot every N iterations, `binomial:N` as many as N at a time; what is replayed then comes
from the library `checkpoint_schedules`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

OWN, ROWS = "own", "rows"
LAYOUTS = (OWN, ROWS)
MAX_SEGMENTS = 64
KINDS = ("periodic", "binomial")
_ADVICE = "checkpoint_schedules is not installed: pip install 'verify-ir[replay]'"


class PlanError(Exception):
    """A schedule that is not known or cannot be had; the text says why."""


@dataclass(frozen=True, slots=True)
class Advance:
    """Iterations `start` to `stop`, exclusive, or to the end of the loop.

    With `restores` they start from the snapshot of `start`, else where the last ones stopped;
    with `saves` a snapshot of that state is taken first.
    """

    start: int
    stop: int | None = None
    restores: bool = True
    saves: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A schedule by name: `every`, or `periodic` or `binomial` with a number."""

    kind: str = "every"
    number: int = 1

    def __str__(self) -> str:
        return self.kind if self.kind == "every" else f"{self.kind}:{self.number}"

    def journeys(self, count: int) -> list[list[Advance]]:
        """The replays of a loop of `count` iterations; each begins at a snapshot."""
        if self.kind == "every":
            return [[Advance(start)] for start in range(min(count, MAX_SEGMENTS))]
        journeys: list[list[Advance]] = []
        for advance in _advances(self._actions(count), count) if count else ():
            if advance.restores:
                journeys.append([])
            journeys[-1].append(advance)
        return journeys

    def _actions(self, count: int) -> Iterator[Any]:
        try:
            import checkpoint_schedules as library
        except ImportError as error:
            raise PlanError(_ADVICE) from error
        if self.kind == "binomial":
            return iter(library.Revolve(count, self.number))
        return _periodic(library, self.number, count)


EVERY = Plan()


@dataclass(frozen=True, slots=True)
class Manner:
    """What is replayed, and where copies lie: `own` allocations or `rows` of larger ones."""

    plan: Plan = EVERY
    layout: str = OWN


USUAL = Manner()


def plan_named(text: str) -> Plan:
    """The plan that `every`, `periodic:N` or `binomial:N` names."""
    if text == "every":
        return EVERY
    kind, _, number = text.partition(":")
    if kind not in KINDS or not number.isdecimal() or not 0 < int(number) < 1 << 16:
        raise PlanError(f"`{text}` is no schedule; there are: every, periodic:N, binomial:N")
    plan = Plan(kind, int(number))
    plan.journeys(2)
    return plan


def _periodic(library: Any, period: int, count: int) -> Iterator[Any]:
    """A snapshot every `period` iterations, and one for each iteration that is replayed."""
    schedule = library.TwoLevelCheckpointSchedule(period, max(1, period - 1))
    done = 0
    for action in schedule:
        yield action
        done = action.n1 if isinstance(action, library.Forward) else done
        if done >= count and schedule.max_n is None:
            schedule.finalize(count)


def _advances(actions: Iterator[Any], count: int) -> Iterator[Advance]:
    """What a schedule replays after the primal has run.

    The library keeps what the adjoint of the last iteration needs while the primal runs. Enzyme's
    primal keeps snapshots only, so that the end of the loop is replayed from the last of them.
    """
    is_primal = True
    restored = False
    last, is_kept = 0, False
    for action in actions:
        match type(action).__name__:
            case "Forward" if is_primal:
                last = action.n0 if action.write_ics else last
                is_kept = bool(action.write_adj_deps)
            case "EndForward":
                is_primal = False
                if is_kept:
                    yield Advance(last)
            case "EndReverse":
                return
            case "Copy" | "Move":
                restored = action.to_storage.name == "WORK"
            case "Forward" if not is_primal:
                stop = None if action.n1 >= count else action.n1
                yield Advance(action.n0, stop, restored, bool(action.write_ics))
                restored = False
            case _:
                continue
