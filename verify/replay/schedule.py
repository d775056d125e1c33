"""Schedule replay: the same run in program order and on another schedule, compared.

What counts is what a program can see: the values that its ops read, the memory of its arguments
and its results when it returns, and memory that is used outside its lifetime.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.ir import Operation

from verify.replay.arguments import raw_element
from verify.replay.arrays import CPU, Arrays
from verify.replay.checkpoint import same
from verify.replay.concrete import VIEW_OUTSIDE, ConcreteMachine
from verify.replay.inputs import Inputs
from verify.replay.loop_runs import LoopRun, OutOfStepsError, run_to_end
from verify.replay.scheduler import Instance, Item, Promise, Scheduler, Ticket
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.types import UnsupportedError
from verify.semantics.values import View

Key: TypeAlias = tuple[Operation, Instance | None, int, bool]
"""An access: its op, the work that it is part of, which of its accesses, whether it writes."""


@dataclass(slots=True)
class Trace:
    """One run: reads by op in the order of each op, memory and results at the return.

    `status` is `ran`, `undefined`, `unsupported` or `too-long`; `open` is work that was still
    to run at the return and that no result speaks for; `order` is the order in which ops ran;
    `faults` are the ops at which a run became undefined.
    """

    status: str = "ran"
    reason: str = ""
    faults: set[Operation | None] = field(default_factory=set)
    reads: dict[Key, tuple[Any, int, int]] = field(default_factory=dict)
    memory: list[tuple[str, bytes]] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    open: list[Operation] = field(default_factory=list)
    order: list[Operation] = field(default_factory=list)
    arguments: list[Any] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    initial: dict[int, list[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Touch:
    """One access: its op, the instance of asynchronous work, which of its accesses, the bytes."""

    op: Operation
    instance: Instance | None
    number: int
    buffer: str
    place: int
    size: int
    is_write: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """How a schedule shows: `read`, `memory`, `lifetime`, `open` or `order`, and what came of it.

    `order` says that two conflicting accesses ran the other way round; where both write the same
    value nothing else can show it.
    """

    kind: str
    op: Operation | None
    expected: Any
    actual: Any
    span: tuple[int, int] | None = None


class Watcher:
    """Records reads and the order of accesses, up to so many."""

    def __init__(self, trace: Trace, running: list[Instance], most: float = math.inf) -> None:
        self.trace = trace
        self.running = running
        self.most = most
        self.counts: dict[tuple[Operation, Instance | None, bool], int] = {}

    def on_read(self, op: Operation, view: View, place: int, size: int, value: Any) -> None:
        touch = self._touch(op, view, place, size, is_write=False)
        self.trace.reads[_key(touch)] = (value, place, size)

    def on_write(self, op: Operation, view: View, place: int, size: int) -> None:
        self._touch(op, view, place, size, is_write=True)

    def _touch(self, op: Operation, view: View, place: int, size: int, *, is_write: bool) -> Touch:
        if len(self.trace.touches) >= self.most:
            raise OutOfStepsError
        instance = self.running[-1] if self.running else None
        number = self.counts.get((op, instance, is_write), 0)
        self.counts[op, instance, is_write] = number + 1
        name = f"{view.memory.name}/{view.memory.id}"
        touch = Touch(op, instance, number, name, place, size, is_write)
        self.trace.touches.append(touch)
        if not self.trace.order or self.trace.order[-1] is not op:
            self.trace.order.append(op)
        return touch

    def on_layout(self, op: Operation, view: View, value: int) -> None:
        return

    def on_loop(self, machine: ConcreteMachine, op: Operation, run: LoopRun) -> Sequence[Any]:
        return run_to_end(machine, run)


def run_schedule(  # noqa: PLR0913 - independent choices, given by name
    function: Operation,
    symbols: dict[str, Operation],
    inputs: Inputs,
    scheduler: Scheduler,
    max_steps: int = 20_000,
    arrays: Arrays = CPU,
    *,
    max_accesses: float = math.inf,
    like: Operation | None = None,
) -> Trace:
    """Run `function` with asynchronous work as `scheduler` orders it.

    Memory behind its pointers holds what suits `like`, the function that it is compared with, or
    itself where there is none.
    """
    trace = Trace()
    watcher = Watcher(trace, scheduler.running, max_accesses)
    machine = ConcreteMachine(symbols, inputs, watcher, max_steps, scheduler, arrays)
    machine.raw_element = raw_element(like or function)
    run_machine(trace, machine, function)
    return trace


def run_machine(
    trace: Trace,
    machine: ConcreteMachine,
    function: Operation,
    at_return: Callable[[], None] | None = None,
) -> None:
    """Run `function` on a machine and write down what came of it.

    `at_return` is called before its memory is looked at.
    """
    scheduler = machine.scheduler
    try:
        _run(trace, machine, function, at_return)
        scheduler.finish()
    except UndefinedBehaviourError as error:
        trace.status, trace.reason = "undefined", str(error)
        trace.faults = {machine.current, *(i.op for i in scheduler.running[-1:])}
    except UnsupportedError as error:
        trace.status, trace.reason = "unsupported", str(error)
    except (OutOfStepsError, RecursionError):
        trace.status, trace.reason = "too-long", "the run takes too many steps"
    except (KeyError, OverflowError, MemoryError) as error:
        trace.status, trace.reason = "unsupported", repr(error)


def _run(
    trace: Trace,
    machine: ConcreteMachine,
    function: Operation,
    at_return: Callable[[], None] | None,
) -> None:
    region = function.regions[0]
    for position, value in enumerate(region.blocks[0].args):
        trace.arguments.append(machine.argument(position, value))
    trace.initial = machine.initial
    buffers = list(machine.buffers)
    results = machine.run_region(region, trace.arguments)
    if at_return is not None:
        at_return()
    _at_return(trace, machine, buffers, results)


def _at_return(
    trace: Trace, machine: ConcreteMachine, buffers: Sequence[Any], results: Sequence[Any]
) -> None:
    """Whoever is given a token waits for it before looking at memory."""
    spoken = [i for r in results if isinstance(r, Ticket | Promise) for i in _closure(r)]
    known = {id(item) for item in spoken}
    scheduler = machine.scheduler
    trace.open = [i.op for i in scheduler.issued if not i.is_done and id(i) not in known]
    for item in spoken:
        item.run()
    trace.memory = [(b.name, b.host().tobytes()) for b in (*buffers, *machine.globals.values())]
    trace.results = [r for r in results if not isinstance(r, Ticket | Promise | View)]


def _closure(ticket: Ticket | Promise) -> list[Item]:
    """All work that a result speaks for: what it stands for, and what its value inside does."""
    found: list[Item] = []
    waiting = list(ticket.items)
    while waiting:
        item = waiting.pop()
        if item in found:
            continue
        found.append(item)
        waiting.extend(item.dependencies)
        for value in item.values:
            waiting.extend(value.items if isinstance(value, Ticket | Promise) else ())
    return found


def compare(expected: Trace, actual: Trace) -> list[Difference]:
    """Every kind of difference between a run in program order and another schedule."""
    if expected.status != "ran":
        return []
    if actual.status == "undefined":
        found = [Difference("lifetime", None, "a run in program order", actual.reason)]
        return [*found, *_still_open(actual)]
    if actual.status != "ran":
        return []
    found = _reads(expected, actual)
    return found + (_still_open(actual) or _memory(expected, actual))


def _still_open(actual: Trace) -> list[Difference]:
    if not actual.open:
        return []
    return [Difference("open", actual.open[0], "done at the return", "still to run")]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two accesses by their ops, and the asynchronous work that each belongs to, if any.

    `begins` and `ends` are the ones of the two that begin or end the life of their memory.
    """

    first: Operation
    first_event: Operation | None
    second: Operation
    second_event: Operation | None
    begins: frozenset[Operation] = frozenset()
    ends: frozenset[Operation] = frozenset()

    def explains(self, trace: Trace) -> bool:
        """Whether a run became undefined because these two ran the other way round.

        One of them is where it did; a memory that has not begun, or has ended, is why.
        """
        if not trace.faults & {self.first, self.second}:
            return False
        done = {touch.op for touch in trace.touches}
        return self.ends <= done and not self.begins & done


def inverted(expected: Trace, actual: Trace, pair: Pair) -> Difference | None:
    """Two conflicting accesses that ran in program order there and not here.

    In a run that ended early, what had not run by then would have run later.
    """
    if expected.status != "ran" or actual.status not in ("ran", "undefined"):
        return None
    latest = len(actual.touches) if actual.status == "undefined" else -1
    when = {_key(t): i for i, t in enumerate(actual.touches)}
    mine = _touches(expected, pair.first, pair.first_event)
    other = _touches(expected, pair.second, pair.second_event)
    for i, a in mine[:200]:
        for k, b in other[:200]:
            if k <= i or not (a.is_write or b.is_write) or not _meet(a, b):
                continue
            x, y = when.get(_key(a), latest), when.get(_key(b))
            if y is not None and y < x and _still_meet(actual, x, y):
                span = (max(a.place, b.place), min(a.place + a.size, b.place + b.size))
                turned = "the other way round"
                return Difference("order", pair.second, "program order", turned, span)
    return None


def _touches(trace: Trace, op: Operation, event: Operation | None) -> list[tuple[int, Touch]]:
    """The accesses of an op as part of some asynchronous work, with their places in the run."""
    return [
        (i, t)
        for i, t in enumerate(trace.touches)
        if t.op is op and (event is None or (t.instance is not None and t.instance.op is event))
    ]


def _key(touch: Touch) -> Key:
    return touch.op, touch.instance, touch.number, touch.is_write


def _meet(a: Touch, b: Touch) -> bool:
    return a.buffer == b.buffer and a.place < b.place + b.size and b.place < a.place + a.size


def _still_meet(actual: Trace, x: int, y: int) -> bool:
    """Whether two accesses of a run share bytes; one that it did not reach counts as it was.

    A task that runs earlier may have taken the number, and so the memory, of another.
    """
    return x >= len(actual.touches) or _meet(actual.touches[x], actual.touches[y])


def _reads(expected: Trace, actual: Trace) -> list[Difference]:
    """The first read of each op that gives another value."""
    found: dict[Operation, Difference] = {}
    for key, (value, place, size) in expected.reads.items():
        other = actual.reads.get(key)
        if other is not None and key[0] not in found and not same(value, other[0]):
            found[key[0]] = Difference("read", key[0], value, other[0], (place, place + size))
    return list(found.values())


def _memory(expected: Trace, actual: Trace) -> list[Difference]:
    found: list[Difference] = []
    for (name, a), (_, b) in zip(expected.memory, actual.memory, strict=False):
        if a != b:
            at = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
            found.append(
                Difference("memory", None, f"0x{a[at]:02x}", f"0x{b[at]:02x}", (at, at + 1))
            )
            break
        del name
    pairs = zip(expected.results, actual.results, strict=False)
    found += [Difference("memory", None, a, b) for a, b in pairs if not same(a, b)]
    return found


def apart(first: Trace, second: Trace) -> tuple[str, object, object] | None:
    """What differs between two runs, and how.

    Passes may make views where the source does not, a loop that never runs say: a view outside
    its source is harmless until it is used.
    """
    if second.status == "undefined" and second.reason != VIEW_OUTSIDE:
        return "it becomes undefined", "a run to the end", second.reason
    if second.status != "ran":
        return None
    others = dict(second.memory)
    for name, content in first.memory:
        other = others.get(name)
        if other is None or other == content:
            continue
        at = next(i for i, (x, y) in enumerate(zip(content, other, strict=True)) if x != y)
        return f"byte {at} of {name}", f"0x{content[at]:02x}", f"0x{other[at]:02x}"
    for number, (a, b) in enumerate(zip(first.results, second.results, strict=False)):
        if a != b and not (a != a and b != b):  # noqa: PLR0124 - not a number
            return f"result {number}", a, b
    return None
