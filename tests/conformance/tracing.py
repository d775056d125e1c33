"""A concrete machine that notes every access with the iterations that it happens in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Operation

from tests.conformance.carriers import Program, about, same_memory
from verify.model.memory import Access, LoopInfo
from verify.replay.concrete import ConcreteMachine, LoopRun, OutOfStepsError, run_to_end
from verify.replay.inputs import Inputs
from verify.semantics import term as t
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.term import Condition
from verify.semantics.types import UnsupportedError
from verify.semantics.values import View

Iterations = tuple[tuple[Operation, int, tuple[int, ...]], ...]
"""The loops that run: the op, the number of the iteration, the numbers that the body gets."""


@dataclass(frozen=True, slots=True)
class Event:
    """One access of a run."""

    op: Operation
    is_write: bool
    buffer: Any
    place: int
    size: int
    iterations: Iterations


class Tracer:
    """Listens to one run."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.iterations: list[tuple[Operation, int, tuple[int, ...]]] = []
        self.finished: dict[Operation, int] = {}

    def on_read(self, op: Operation, view: View, place: int, size: int, value: Any) -> None:
        """Note a read."""
        self.events.append(Event(op, False, view.memory, place, size, tuple(self.iterations)))

    def on_write(self, op: Operation, view: View, place: int, size: int) -> None:
        """Note a write."""
        self.events.append(Event(op, True, view.memory, place, size, tuple(self.iterations)))

    def on_layout(self, op: Operation, view: View, value: int) -> None:
        """Layouts are not accesses."""

    def on_loop(self, machine: ConcreteMachine, op: Operation, run: LoopRun) -> Sequence[Any]:
        """Checkpointed loops run like any other."""
        return run_to_end(machine, run)


class TracingMachine(ConcreteMachine):
    """Tells its tracer of every iteration."""

    def __init__(self, symbols: dict[str, Operation], inputs: Inputs, tracer: Tracer) -> None:
        super().__init__(symbols, inputs, tracer, 3000)
        self.tracer = tracer

    def _run_loop(self, op: Operation, run: LoopRun) -> Sequence[Any]:
        return super()._run_loop(op, _Counted(self.tracer, op, run))


class _Counted:
    """A loop that notes its iterations; its state carries the number of the next one."""

    def __init__(self, tracer: Tracer, op: Operation, run: Any) -> None:
        self.tracer, self.op, self.run = tracer, op, run

    def start(self) -> Any:
        return 0, self.run.start()

    def step(self, state: Any) -> Any:
        number, inner = state
        self.tracer.iterations.append((self.op, number, self._point(number)))
        try:
            after = self.run.step(inner)
        finally:
            self.tracer.iterations.pop()
        return None if after is None else (number + 1, after)

    def _point(self, number: int) -> tuple[int, ...]:
        """The induction variables of an iteration."""
        if hasattr(self.run, "ranges"):
            point: list[int] = []
            for part in reversed(self.run.ranges):
                number, place = divmod(number, max(1, len(part)))
                point.insert(0, part[place] if part else 0)
            return tuple(point)
        if hasattr(self.run, "lower"):
            return (self.run.lower + number * self.run.step_size,)
        return (number,)

    def results(self, state: Any) -> Sequence[Any]:
        return self.run.results(state[1])

    def carried(self, state: Any) -> list[Any]:
        return self.run.carried(state[1])

    def with_carried(self, state: Any, values: list[Any]) -> Any:
        return state[0], self.run.with_carried(state[1], values)


def trace(program: Program, inputs: Inputs) -> tuple[list[Any], list[Event], str]:
    """Arguments, accesses and how the run ended: `ran`, or why it stopped."""
    tracer = Tracer()
    machine = TracingMachine(program.symbols, inputs, tracer)
    region = program.function.regions[0]
    arguments = [machine.argument(i, v) for i, v in enumerate(region.blocks[0].args)]
    try:
        machine.run_region(region, arguments)
    except (UndefinedBehaviourError, OutOfStepsError, UnsupportedError) as error:
        return arguments, tracer.events, type(error).__name__
    return arguments, tracer.events, "ran"


def uncovered(program: Program, arguments: Sequence[Any], events: Sequence[Event]) -> list[Event]:
    """The accesses of a run that no recorded access of the symbolic machine covers."""
    question = about(program, arguments)
    by_op: dict[tuple[Operation, bool], list[Access]] = {}
    for access in program.machine.accesses:
        by_op.setdefault((access.op, access.is_write), []).append(access)
    distinct = {(e.op, e.is_write, e.buffer.id, e.place, e.iterations): e for e in events}.values()
    return [
        event
        for event in distinct
        if not any(
            question.answer(*_matches(access, event)) == "sat"
            for access in by_op.get((event.op, event.is_write), [])
        )
    ]


def _matches(access: Access, event: Event) -> list[Condition]:
    """The conditions under which `access` is `event`."""
    if not same_memory(access.view.memory, event.buffer):
        return [False]
    conditions = [*access.conditions, *access.assumed]
    if access.view.memory.kind != "unknown":
        end = event.place + event.size
        conditions += [
            t.at_most(access.address, event.place),
            t.at_most(end, access.address + access.size),
        ]
    return [*conditions, *in_iterations(access, event)]


def in_iterations(access: Access, event: Event) -> list[Condition]:
    """The conditions under which `access` happens in the iterations of `event`."""
    conditions: list[Condition] = []
    remaining = list(event.iterations)
    for info in access.loops:
        if info.kind in ("elements", "graph"):
            continue
        if not remaining:
            return [False]
        op, number, point = remaining.pop(0)
        conditions += [op is info.op, *_in_iteration(info, number, point)]
    return [*conditions, not remaining]


def _in_iteration(info: LoopInfo, number: int, point: tuple[int, ...]) -> list[Condition]:
    if info.kind == "grid":
        return [t.equal(a, b) for a, b in zip(info.order, point, strict=True)]
    if info.counter is not None:
        return [t.equal(info.counter, number)]
    return [t.equal(info.order[0], point[0])]
