"""Checkpoint replay: the primal run, then every segment again from snapshots.

The primal records every read of a checkpointed loop. The replay from iteration `s` gives each
snapshotted capture a copy of its own, taken as the primal was about to run `s`, and runs the
rest of the loop on the copies; the first read that differs ends it. A copy holds the elements
that the capture spans and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import builtin
from xdsl.ir import Operation, SSAValue

from verify.replay.buffers import Buffer
from verify.replay.concrete import ConcreteMachine, MisalignedCopyError
from verify.replay.loop_runs import LoopRun, OutOfStepsError, run_to_end
from verify.replay.plans import OWN, USUAL, Advance, Manner
from verify.replay.snapshots import Snapshot, copy_of
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.extents import extent_of, space_behind
from verify.semantics.term import whole
from verify.semantics.types import layout_of
from verify.semantics.values import View
from verify.semantics.views_by_name import captures, is_clonable

Stack: TypeAlias = tuple[tuple[Operation, int, int], ...]
"""The checkpointed loops that run: loop, iteration, number of its execution."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Who last wrote a byte, as one loop sees it: the op, its capture, the iteration."""

    op: Operation
    capture: SSAValue | None
    iteration: int


@dataclass(frozen=True, slots=True)
class Write:
    """The last write of a byte: through which captures, in which iterations."""

    op: Operation
    view: View
    stack: Stack


@dataclass(slots=True)
class Read:
    """One read of the primal, and the write that it saw."""

    op: Operation
    value: Any
    view: View
    place: int
    size: int
    write: Write | None


@dataclass(frozen=True, slots=True)
class Divergence:
    """A read of the replay that gives another value than in the primal.

    `kind` is `stale` (the value came through another snapshot), `uncovered` (no snapshot holds
    the memory), `outside` (beyond what the copy holds) or `misaligned`. `place` is the byte in
    the primal's buffer.
    """

    loop: Operation
    kind: str
    segment: int
    iteration: int
    op: Operation
    capture: SSAValue | None
    place: int
    size: int
    writer: Writer | None
    expected: Any
    actual: Any


@dataclass(slots=True)
class Observation:
    """What one run showed of the checkpointed loops."""

    divergences: list[Divergence] = field(default_factory=list)
    overlaps: list[tuple[Operation, SSAValue, SSAValue, int, int]] = field(default_factory=list)
    space_faults: list[tuple[Operation, SSAValue, str, str]] = field(default_factory=list)
    iterations: dict[Operation, int] = field(default_factory=dict)
    reads: int = 0


class CheckpointListener:
    """Watches a run and replays the loops in `targets` (all when `None`).

    With `shifted` copies get another base pointer and offset than the captures had, wherever
    their type leaves that open. What `layout_ops` derive from a layout counts as read. `manner`
    says what is replayed, and where copies lie.
    """

    def __init__(
        self,
        targets: set[Operation] | None = None,
        manner: Manner = USUAL,
        *,
        shifted: bool = False,
        layout_ops: frozenset[Operation] = frozenset(),
    ) -> None:
        self.targets = targets
        self.manner = manner
        self.layout_ops = layout_ops
        self.shifted = shifted
        self.seen = Observation()
        self.log: list[Read] = []
        self.writes: dict[tuple[int, int], Write] = {}
        self.stack: Stack = ()
        self.is_replaying = False
        self.numbers: dict[Operation, int] = {}
        self.executions = 0

    def on_read(self, op: Operation, view: View, place: int, size: int, value: Any) -> None:
        """Log a read."""
        if self.stack:
            write = self._last_write(view, place, size)
            self.log.append(Read(op, value, view, place, size, write))

    def _last_write(self, view: View, place: int, size: int) -> Write | None:
        number = view.memory.id
        found = [w for b in range(place, place + size) if (w := self.writes.get((number, b)))]
        return max(found, key=lambda w: [i for _, i, _ in w.stack], default=None)

    def on_layout(self, op: Operation, view: View, value: int) -> None:
        """Log what an op makes of a base pointer or offset, where that is asked about."""
        if op in self.layout_ops:
            self.on_read(op, view, -1, 0, value)

    def on_write(self, op: Operation, view: View, place: int, size: int) -> None:
        """Remember who wrote."""
        if self.stack:
            write = Write(op, view, self.stack)
            for byte in range(place, place + size):
                self.writes[view.memory.id, byte] = write

    def number_of(self, loop: Operation) -> int:
        """The number under which views note their capture in `loop`."""
        return self.numbers.setdefault(loop, len(self.numbers))

    def on_loop(self, machine: ConcreteMachine, op: Operation, run: LoopRun) -> Sequence[Any]:
        """Run a checkpointed loop, then replay it from every iteration."""
        if self.is_replaying or (self.targets is not None and op not in self.targets):
            return run_to_end(machine, run)
        return _LoopReplay(self, machine, op, run).results()


class _LoopReplay:
    """One execution of one checkpointed loop."""

    def __init__(
        self, listener: CheckpointListener, machine: ConcreteMachine, op: Operation, run: LoopRun
    ) -> None:
        self.listener, self.machine, self.op, self.run = listener, machine, op, run
        self.number = listener.number_of(op)
        listener.executions += 1
        self.execution = listener.executions
        self.outside = listener.stack
        self.extents: dict[SSAValue, int] = {}
        self.values = [v for v in captures(op) if self._is_snapshotted(v)]
        self.saved: list[Snapshot] = []
        self.taken: dict[int, Snapshot | None] = {}
        self.logs: list[list[Read]] = []
        self.copies: list[Buffer] = []

    def _is_snapshotted(self, value: SSAValue) -> bool:
        if not is_clonable(value.type) or not isinstance(self.machine.env.get(value), View):
            return False
        if isinstance(value.type, builtin.MemRefType):
            return True
        extent = extent_of(self.machine, value)
        if extent is not None:
            self.extents[value] = whole(extent)
        return extent is not None

    def results(self) -> Sequence[Any]:
        """Primal, then replays; the state afterwards is the primal's."""
        env = dict(self.machine.env)
        self._note_captures()
        for value in self.values:
            view: View = env[value]
            self.machine.env[value] = view.through(self.number, value)
        outer_log, is_nested = self.listener.log, bool(self.listener.stack)
        state = self._primal()
        self.machine.env.update({v: env[v] for v in self.values})
        results = self.run.results(state)
        after, writes = dict(self.machine.env), self.listener.writes
        self._replays()
        self.machine.env, self.listener.writes = after, writes
        inner = [r for log in self.logs for r in log] if is_nested else []
        self.listener.log = outer_log + inner
        return [_forget(v, self.number) for v in results]

    def _step(self, state: Any, iteration: int) -> Any:
        self.listener.log = []
        self.listener.stack = (*self.outside, (self.op, iteration, self.execution))
        try:
            return self.run.step(state)
        finally:
            self.listener.stack = self.outside

    def _primal(self) -> Any:
        state = self.run.start()
        while True:
            self.saved.append(Snapshot(state, self._views(), self._memory()))
            after = self._step(self._tagged(state), len(self.logs))
            self.logs.append(self.listener.log)
            if after is None:
                break
            state = after
        count = len(self.logs) - 1
        known = self.listener.seen.iterations.get(self.op, 0)
        self.listener.seen.iterations[self.op] = max(known, count)
        self.listener.seen.reads += sum(len(log) for log in self.logs)
        return state

    def _tagged(self, state: Any) -> Any:
        """Carried views count as captures of their own from the iteration that they start."""
        values = [self._carried_view(i, v) for i, v in enumerate(self.run.carried(state))]
        return self.run.with_carried(state, values)

    def _carried_view(self, index: int, value: Any) -> Any:
        if isinstance(value, View) and value.capture_in(self.number) is None:
            return value.through(self.number, self._parameter(index))
        return value

    def _parameter(self, index: int) -> SSAValue:
        block = self.op.regions[0].blocks[0]
        first = len(block.args) - len(self.run.carried(self.run.start()))
        return block.args[first + index]

    def _memory(self) -> dict[int, np.ndarray[Any, Any]]:
        return {b.id: b.host().copy() for b in self.machine.buffers}

    def _note_captures(self) -> None:
        views = [(v, self.machine.env[v]) for v in self.values]
        for _, view in views:
            if view.sizes is not None and not self._is_allocated(view):
                raise UndefinedBehaviourError("a capture reaches outside its buffer")
        for i, (value, view) in enumerate(views):
            named = view.space if view.sizes is not None else space_behind(value)
            if named != view.memory.space:
                fault = (self.op, value, named, view.memory.space)
                self.listener.seen.space_faults.append(fault)
            for other, second in views[i + 1 :]:
                common = self._common_bytes(view, second)
                if common:
                    span = (min(common), max(common) + 1)
                    self.listener.seen.overlaps.append((self.op, value, other, *span))

    def _is_allocated(self, view: View) -> bool:
        count = len(view.memory.data)
        return all(0 <= byte < count for byte in self._bytes(view))

    def _common_bytes(self, first: View, second: View) -> set[int]:
        if first.memory is not second.memory or first.sizes is None or second.sizes is None:
            return set()
        return set(self._bytes(first)) & set(self._bytes(second))

    def _bytes(self, view: View) -> Iterator[int]:
        unit = view.element.size if view.element is not None else 1
        for place in self.machine.places(view):
            yield from range(place, place + unit)

    def _views(self) -> dict[SSAValue, View]:
        return {v: self.machine.env[v] for v in self.values}

    def _replays(self) -> None:
        buffers = list(self.machine.buffers)
        states = [b.copy_state() for b in buffers]
        for journey in self.listener.manner.plan.journeys(len(self.logs) - 1):
            env = dict(self.machine.env)
            try:
                self._replay(journey)
            except (UndefinedBehaviourError, OutOfStepsError):
                pass  # after a read that differs, anything may happen
            finally:
                self.listener.is_replaying = False
                self.machine.env = env
                del self.machine.buffers[len(buffers) :]
                for buffer, state in zip(buffers, states, strict=True):
                    buffer.restore(state)

    def _replay(self, journey: Sequence[Advance]) -> None:
        """Replay from one snapshot; later ones may start from snapshots that are taken here."""
        start = journey[0].start
        snapshot = self.taken.get(start, self.saved[start])
        self.taken.update((a.start, None) for a in journey if a.saves)
        if snapshot is None:
            return
        state = self._restored(snapshot, start)
        self.listener.is_replaying, self.listener.writes = True, {}
        for advance in journey:
            if advance.saves:
                self.taken[advance.start] = Snapshot(state, self._views(), self._memory())
            stop = len(self.logs) if advance.stop is None else advance.stop
            for iteration in range(advance.start, stop):
                error: Exception | None = None
                try:
                    state = self._step(state, iteration)
                except (UndefinedBehaviourError, OutOfStepsError, MisalignedCopyError) as caught:
                    error = caught
                if self._compare(start, iteration, error) or state is None or error is not None:
                    return

    def _restored(self, snapshot: Snapshot, start: int) -> Any:
        """The state of the loop on fresh copies."""
        self.copies = []
        for value in self.values:
            self.machine.env[value] = self._copy(snapshot.views[value], value, snapshot, start)
        carried = [
            self._copy(v, self._parameter(i), snapshot, start) if isinstance(v, View) else v
            for i, v in enumerate(self.run.carried(snapshot.state))
        ]
        return self.run.with_carried(snapshot.state, carried)

    def _copy(self, view: View, value: SSAValue, snapshot: Snapshot, start: int) -> View:
        places = self._copied_bytes(view, value)
        source: Buffer = view.memory
        rows = None
        if self.listener.manner.layout != OWN:
            rows = [s.memory.get(source.id) for s in self.saved], start
        known = snapshot.memory.get(source.id)
        copied = copy_of(
            view,
            places,
            source.host() if known is None else known,
            rows=rows,
            is_free=_has_free_offset(value),
            is_shifted=self.listener.shifted,
        )
        self.machine.buffers.append(copied.memory)
        self.copies.append(copied.memory)
        return copied.through(self.number, value)

    def _copied_bytes(self, view: View, value: SSAValue) -> list[int]:
        if view.sizes is None:
            start = whole(view.offset)
            return list(range(start, start + self.extents.get(value, 0)))
        return list(self._bytes(view))

    def _compare(self, segment: int, iteration: int, error: Exception | None) -> bool:
        for expected, actual in zip(self.logs[iteration], self.listener.log, strict=False):
            if expected.op is actual.op and same(expected.value, actual.value):
                continue
            kind = self._kind(actual.view, actual.place, actual.size)
            if kind == "stale" and self.listener.shifted and not self._is_stale(expected, segment):
                kind = "outside"
            self._report(kind, segment, iteration, expected, actual.value)
            return True
        if isinstance(error, MisalignedCopyError):
            self._report_misaligned(segment, iteration, error)
            return True
        return self._report_strays(segment, iteration)

    def _is_stale(self, read: Read, segment: int) -> bool:
        writer = self._writer(read.write)
        return writer is not None and writer.iteration >= segment

    def _writer(self, write: Write | None) -> Writer | None:
        """A write as this execution of the loop sees it; `None` when it came before."""
        if write is None:
            return None
        for loop, iteration, execution in write.stack:
            if loop is self.op and execution == self.execution:
                return Writer(write.op, write.view.capture_in(self.number), iteration)
        return None

    def _kind(self, view: View, place: int, size: int) -> str:
        valid = view.memory.valid
        if valid is None:
            return "uncovered"
        if size == 0:
            return "layout"
        inside = place >= 0 and place + size <= len(valid) and valid[place : place + size].all()
        return "stale" if inside else "outside"

    def _report(self, kind: str, segment: int, iteration: int, read: Read, actual: Any) -> None:
        self.listener.seen.divergences.append(
            Divergence(
                self.op,
                kind,
                segment,
                iteration,
                read.op,
                read.view.capture_in(self.number),
                read.place,
                read.size,
                self._writer(read.write),
                read.value,
                actual,
            )
        )

    def _report_misaligned(self, segment: int, iteration: int, error: MisalignedCopyError) -> None:
        self.listener.seen.divergences.append(
            Divergence(
                self.op,
                "misaligned",
                segment,
                iteration,
                error.op,
                None,
                0,
                0,
                None,
                f"aligned to {error.alignment}",
                f"address {error.address}",
            )
        )

    def _report_strays(self, segment: int, iteration: int) -> bool:
        for buffer in self.copies:
            if not buffer.strays:
                continue
            written = [w for (b, _), w in self.listener.writes.items() if b == buffer.id]
            writer = self._writer(next((w for w in written), None))
            if writer is None:
                return False
            self.listener.seen.divergences.append(
                Divergence(
                    self.op,
                    "stray",
                    segment,
                    iteration,
                    writer.op,
                    writer.capture,
                    buffer.strays[0],
                    1,
                    writer,
                    "inside the copy",
                    "outside the copy",
                )
            )
            return True
        return False


def _has_free_offset(value: SSAValue) -> bool:
    return isinstance(value.type, builtin.MemRefType) and layout_of(value.type).offset is None


def _forget(value: Any, number: int) -> Any:
    if isinstance(value, View):
        return replace(value, via=tuple(p for p in value.via if p[0] != number))
    return value


def same(a: Any, b: Any) -> bool:
    """Bitwise equality; two NaNs of the same bits are the same."""
    if isinstance(a, np.generic) and isinstance(b, np.generic):
        return bool(a.dtype == b.dtype and a.tobytes() == b.tobytes())
    return bool(a == b)
