"""Runs whose asynchronous ops go to the streams of a device, in an order that is forced.

What such an op reads is not seen, what it leaves in memory is. Memory that begins its life holds
what is fresh again, and garbage after its end, so that a use at the wrong time shows.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation, Region

from verify.replay.arguments import raw_element
from verify.replay.buffers import Buffer, encode
from verify.replay.concrete import ConcreteMachine
from verify.replay.inputs import Inputs
from verify.replay.rerun import MOST_STEPS, Subject
from verify.replay.schedule import Difference, Pair, Trace, Watcher, run_machine
from verify.replay.scheduler import Order
from verify.replay.streams import Streams, StreamScheduler
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.types import is_token
from verify.semantics.values import View

GARBAGE = 0xDD
"""Each byte of memory after its end."""


class _Watch(Watcher):
    """Records what the host reads, and whether it reaches the second access of a pair too early."""

    def __init__(self, trace: Trace, scheduler: StreamScheduler) -> None:
        super().__init__(trace, scheduler.running)
        self.scheduler = scheduler

    def _touch(self, op: Operation, view: View, place: int, size: int, *, is_write: bool) -> Any:
        pair = self.scheduler.pair
        if pair is not None and pair.second_event is None and op is pair.second:
            self.scheduler.look_for_the_first()
        return super()._touch(op, view, place, size, is_write=is_write)


class StreamMachine(ConcreteMachine):
    """The concrete machine, whose asynchronous ops only add to streams."""

    def __init__(self, device: Streams, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.device = device
        self.is_on_device = False
        self.fresh: dict[int, NDArray[np.uint8]] = {}

    def device_op(
        self, op: Operation, dependencies: Sequence[Any], body: Callable[[], None]
    ) -> Any:
        def work() -> None:
            with self._on_device():
                body()

        is_async = any(is_token(r.type) for r in op.results)
        return super().device_op(op, dependencies, work if is_async else body)

    @contextmanager
    def _on_device(self) -> Generator[None]:
        listener, self.listener, self.is_on_device = self.listener, None, True
        try:
            yield
        finally:
            self.listener, self.is_on_device = listener, False

    def _bytes_of(self, view: View) -> NDArray[np.int64]:
        """The place of every byte of a view; all of them are inside its buffer."""
        assert view.element is not None
        first = np.fromiter(self.places(view), np.int64)
        places = (first[:, None] + np.arange(view.element.size)).ravel()
        if places.size and not 0 <= places.min() <= places.max() < len(view.memory.data):
            raise UndefinedBehaviourError(f"an access outside {view.memory.name}")
        return places

    def read_all(self, op: Operation, view: Any) -> Any:
        if not self.is_on_device:
            return super().read_all(op, view)
        places = self._bytes_of(view)
        taken = self.device.upload(np.zeros(places.size, np.uint8))
        self._move(taken, np.arange(places.size), view.memory.data, places)
        return taken

    def write_all(self, op: Operation, view: Any, contents: Any, kind: Attribute) -> None:
        if not self.is_on_device:
            super().write_all(op, view, contents, kind)
            return
        places = self._bytes_of(view)
        if isinstance(contents, int | float | bool | bytes | np.generic):
            element = kind.element_type if isinstance(kind, builtin.MemRefType) else kind
            one = np.frombuffer(encode(contents, element), np.uint8)
            contents = self.device.upload(np.resize(one, places.size))
        if len(contents) != places.size:
            raise UndefinedBehaviourError("a copy between views of different sizes")
        self._move(view.memory.data, places, contents, np.arange(places.size))

    def _move(self, to: Any, places: Any, source: Any, sources: Any) -> None:
        if len(places):
            upload = self.device.upload
            self.device.move(to, upload(places), source, upload(sources))

    def allocate(self, op: Operation, kind: Attribute, sizes: Sequence[Any], space: str) -> View:
        view = super().allocate(op, kind, sizes, space)
        buffer: Buffer = view.memory
        if buffer.is_freed:
            buffer.is_freed = False
            self.fresh[buffer.id] = buffer.host().copy()
        return view

    def begin_life(self, op: Operation, view: Any) -> None:
        buffer: Buffer = view.memory
        self._overwrite(buffer, self.fresh[buffer.id])

    def free(self, op: Operation, view: Any) -> None:
        self._overwrite(view.memory, np.full(len(view.memory.data), GARBAGE, np.uint8))
        if not self.is_on_device:
            super().free(op, view)

    def _overwrite(self, buffer: Buffer, contents: NDArray[np.uint8]) -> None:
        if not self.is_on_device:
            buffer.data[:] = self.arrays.from_host(contents)
            return
        every = np.arange(contents.size)
        self._move(buffer.data, every, self.device.upload(contents), every)

    def launch_compiled(
        self, op: Operation, region: Region, grid: Sequence[Any], arguments: Sequence[Any]
    ) -> bool:
        if not self.is_on_device:
            return super().launch_compiled(op, region, grid, arguments)
        return self.device.launch(self, op, region, grid, arguments)


@dataclass(frozen=True, slots=True)
class Forced:
    """A run on streams: its trace, and whether its gates held."""

    trace: Trace
    overtaken: bool
    has_held: bool

    def differences(self, pair: Pair | None) -> Iterator[Difference]:
        """What no other run has to be held against to be seen."""
        if self.overtaken and pair is not None:
            yield Difference("order", pair.second, "program order", "the other way round")


def run_on_streams(
    subject: Subject, inputs: Inputs, order: Order, device: Streams, pair: Pair | None = None
) -> Forced:
    """Run a function with its asynchronous work on streams, in a chosen order."""
    trace = Trace()
    scheduler = StreamScheduler(device, order, pair)
    watcher = _Watch(trace, scheduler)
    machine = StreamMachine(
        device, subject.symbols, inputs, watcher, MOST_STEPS, scheduler, subject.arrays
    )
    machine.raw_element = raw_element(subject.function)
    try:
        run_machine(trace, machine, subject.function, scheduler.look)
    finally:
        has_held = device.finish()
    return Forced(trace, scheduler.overtaken, has_held)
