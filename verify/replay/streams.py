"""Asynchronous work on the streams of a device: tokens as events, and an order forced by gates.

Every chain of asynchronous ops has a stream of its own, a token is the event behind its op. Work
that an order puts off stands behind a *gate*: nothing in its stream goes on before the host opens
it, which it does when it waits for that work. What is not put off is done before the host goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from numpy.typing import NDArray
from xdsl.ir import Operation, Region

from verify.replay.concrete import ConcreteMachine
from verify.replay.schedule import Pair
from verify.replay.scheduler import Item, Order, Promise, Scheduler, Ticket, draw_of, items_of
from verify.semantics.types import UnsupportedError


class Streams(Protocol):
    """A device with streams, as far as it is needed. Arrays are those of its `Arrays`."""

    def stream(self) -> Any:
        """A stream of its own, that waits for no other one by itself."""
        ...

    def submit(self, stream: Any, body: Callable[[], None]) -> None:
        """Add to a stream what `body` asks for with `move` and `launch`, and no more."""
        ...

    def record(self, stream: Any) -> Any:
        """An event that is done when all of the stream so far is."""
        ...

    def follow(self, stream: Any, event: Any) -> None:
        """What comes next in a stream runs after an event."""
        ...

    def gate(self, stream: Any) -> Any:
        """Let nothing that comes next in a stream run before the gate is opened."""
        ...

    def open(self, gate: Any) -> None: ...
    def is_done(self, event: Any) -> bool: ...
    def synchronize(self, event: Any) -> None: ...
    def upload(self, array: NDArray[Any]) -> Any:
        """An array on the device that stays there until `finish`."""
        ...

    def move(self, to: Any, to_places: Any, source: Any, places: Any) -> None:
        """Bytes of one array to places of another one."""
        ...

    def launch(
        self,
        machine: ConcreteMachine,
        op: Operation,
        region: Region,
        grid: Sequence[int],
        arguments: Sequence[Any],
    ) -> bool:
        """Launch a kernel; `False` when `body` may run its threads one by one."""
        ...

    def finish(self) -> bool:
        """Let go of what was kept for a run that is over; `False` when a gate did not hold."""
        ...


@dataclass(eq=False, slots=True)
class StreamItem(Item):
    """Work in a stream; `gates` are those that it waits for, its own and those before it."""

    scheduler: StreamScheduler | None = None
    stream: Any = None
    end: Any = None
    gates: list[Any] = field(default_factory=list)

    def run(self) -> None:
        """Open its gates and wait for it."""
        assert self.scheduler is not None
        if not self.is_done:
            self.scheduler.complete(self)


class StreamScheduler(Scheduler):
    """The choices of a scheduler on real streams.

    `overtaken` says whether the second work of a pair was done while the first was not.
    """

    def __init__(self, device: Streams, order: Order, pair: Pair | None = None) -> None:
        late = frozenset() if order.late is None else frozenset({order.late})
        super().__init__(late, order.is_lazy, order.early, draw_of(order))
        self.device = device
        self.pair = pair
        self.overtaken = False
        self.opened: set[Any] = set()
        self.tails: dict[int, StreamItem] = {}

    def _issue(self, op: Operation, dependencies: Sequence[Any], body: Callable[[], Any]) -> Item:
        item = self._new_item(op, dependencies, body)
        before = self._on_streams(item.dependencies)
        gates = [g for d in before for g in d.gates]
        item.stream = self._stream_behind(before)
        for each in before:
            self.device.follow(item.stream, each.end)
        is_put_off = self._is_late(op)
        item.gates = [*gates, self.device.gate(item.stream)] if is_put_off else gates
        self.device.submit(item.stream, body)
        item.end = self.device.record(item.stream)
        self.tails[id(item.stream)] = item
        follows_late = bool(self.late) and not all(g in self.opened for g in gates)
        if not is_put_off and not follows_late:
            item.run()
        return item

    def _new_item(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], Any]
    ) -> StreamItem:
        known = list(items_of(dependencies))
        item = StreamItem(op, known, body, self.next_instance(op), self.running, scheduler=self)
        self.issued.append(item)
        return item

    def _on_streams(self, items: Sequence[Item]) -> list[StreamItem]:
        """Those that a stream can wait for; what a task of the host does has to be over."""
        if any(not isinstance(each, StreamItem) and not each.is_done for each in items):
            raise UnsupportedError("work on a stream behind a task that has not run yet")
        return [each for each in items if isinstance(each, StreamItem)]

    def _is_late(self, op: Operation) -> bool:
        """Whether a gate is put before it; what depends on it waits for it by itself."""
        if self.late:
            return op in self.late
        return self._is_put_off(op, ())

    def _stream_behind(self, before: Sequence[StreamItem]) -> Any:
        """The stream of the first dependency that is the last in its own, or a new one."""
        for each in before:
            if self.tails.get(id(each.stream)) is each:
                return each.stream
        return self.device.stream()

    def complete(self, item: StreamItem) -> None:
        """Wait for work, opening all that keeps it."""
        for gate in item.gates:
            if gate not in self.opened:
                self.opened.add(gate)
                self.device.open(gate)
        self.device.synchronize(item.end)
        item.is_done = True
        if self.pair is not None and item.op is self.pair.second_event:
            self.look_for_the_first(item)

    def look_for_the_first(self, before: StreamItem | None = None) -> None:
        """Note it when the first work of the pair was issued and is not done."""
        for each in self.issued:
            if each is before:
                return
            is_first = self.pair is not None and each.op is self.pair.first_event
            self.overtaken |= is_first and not self._is_over(each)

    def _is_over(self, item: Item) -> bool:
        if isinstance(item, StreamItem):
            item.is_done = item.is_done or self.device.is_done(item.end)
        return item.is_done

    def look(self) -> None:
        """Ask the device which work is done."""
        for item in self.issued:
            self._is_over(item)

    def task(
        self,
        op: Operation,
        dependencies: Sequence[Any],
        body: Callable[[], Sequence[Any]],
        count: int,
    ) -> tuple[Ticket, list[Promise]]:
        """Tasks of the host have no stream: each runs where the order says."""

        def watched() -> Sequence[Any]:
            values = body()
            if self.pair is not None and op is self.pair.second_event:
                self.look_for_the_first()
            return values

        item = super()._issue(op, dependencies, watched)
        return Ticket((item,)), [Promise(item, i) for i in range(count)]
