"""A device whose streams are queues on the host: it runs what it may as soon as it may."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from verify.replay.arrays import Arrays


@dataclass(eq=False)
class Stream:
    """What is still to run; each entry says whether it could."""

    waiting: deque[Callable[[], bool]] = field(default_factory=deque[Callable[[], bool]])


@dataclass(eq=False)
class Flag:
    """An event or a gate."""

    is_set: bool = False


class SimulatedStreams:
    """The `Streams` of no device at all; kernels are run thread by thread."""

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self.gates: list[Flag] = []
        self.made = 0

    def stream(self) -> Stream:
        self.made += 1
        self.streams.append(Stream())
        return self.streams[-1]

    def _add(self, stream: Stream, step: Callable[[], bool]) -> None:
        stream.waiting.append(step)
        self._go_on()

    def _go_on(self) -> None:
        is_moving = True
        while is_moving:
            is_moving = False
            for stream in self.streams:
                while stream.waiting and stream.waiting[0]():
                    stream.waiting.popleft()
                    is_moving = True

    def submit(self, stream: Stream, body: Callable[[], None]) -> None:
        def step() -> bool:
            body()
            return True

        self._add(stream, step)

    def record(self, stream: Stream) -> Flag:
        event = Flag()

        def step() -> bool:
            event.is_set = True
            return True

        self._add(stream, step)
        return event

    def follow(self, stream: Stream, event: Flag) -> None:
        self._add(stream, lambda: event.is_set)

    def gate(self, stream: Stream) -> Flag:
        gate = Flag()
        self.gates.append(gate)
        self._add(stream, lambda: gate.is_set)
        return gate

    def open(self, gate: Flag) -> None:
        gate.is_set = True
        self._go_on()

    def is_done(self, event: Flag) -> bool:
        return event.is_set

    def synchronize(self, event: Flag) -> None:
        assert event.is_set, "the host waits for what no one lets go"

    def upload(self, array: Any) -> Any:
        return array.copy()

    def move(self, to: Any, to_places: Any, source: Any, places: Any) -> None:
        to[to_places] = source[places]

    def launch(
        self, machine: Any, op: Any, region: Any, grid: Any, arguments: Sequence[Any]
    ) -> bool:
        return False

    def finish(self) -> bool:
        for gate in self.gates:
            self.open(gate)
        assert not any(stream.waiting for stream in self.streams)
        self.streams.clear()
        return True


def simulated() -> tuple[Arrays, SimulatedStreams]:
    """NumPy arrays with streams, and these."""
    device = SimulatedStreams()
    return Arrays("cpu", "streams on the CPU", np, streams=lambda: device), device
