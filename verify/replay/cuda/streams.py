"""Streams, events and gates of a GPU, by CuPy.

A gate is a kernel that spins until the host opens it, or until its time is over, so that nothing
hangs where the device cannot run it beside other work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, Region

from verify.ir.names import op_name
from verify.replay.cuda.launch import CompiledKernels, Launch
from verify.replay.cuda.on_device import DeviceKernels
from verify.semantics.types import UnsupportedError

if TYPE_CHECKING:
    from verify.replay.concrete import ConcreteMachine

MOST_GATES = 4096
LIMIT_NS = 2_000_000_000
_THREADS = 256
SOURCE = """
extern "C" __global__ void gate(volatile int *state, unsigned long long limit_ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    if (state[0]) return;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < limit_ns);
  state[1] = 1;
}

extern "C" __global__ void move(unsigned char *to, const long long *to_places,
                                const unsigned char *from, const long long *from_places,
                                long long count) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < count) to[to_places[i]] = from[from_places[i]];
}
"""


class _Issuing:
    """Launches kernels without waiting for them."""

    def __init__(self, cupy: Any) -> None:
        self._kernels = DeviceKernels(cupy)

    def run(self, launch: Launch) -> None:
        """Launch a kernel on the current stream."""
        self._kernels.issue(launch)


class CudaStreams:
    """The `Streams` of the current CUDA device.

    The host works on the null stream, which the others do not wait for; what it has asked for is
    done before anything is added to another one. Nothing is allocated behind a gate.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        module = cupy.RawModule(code=SOURCE, backend="nvrtc")
        self._gate, self._move = (module.get_function(name) for name in ("gate", "move"))
        self._null = cupy.cuda.Stream.null
        self._pinned = cupy.cuda.alloc_pinned_memory(MOST_GATES * 8)
        self._states = np.frombuffer(self._pinned, np.int32, 2 * MOST_GATES).reshape(-1, 2)
        self._kernels = CompiledKernels(_Issuing(cupy))
        self._kept: list[Any] = []
        self._idle: list[Any] = []
        self._used: list[Any] = []
        self._gates = 0
        self._load()

    def _load(self) -> None:
        """Run everything once: loading code waits for the device, which a gate would hold."""
        self._states[:] = 0
        stream = self.stream()
        self.open(self.gate(stream))
        one = self.upload(np.zeros(1, np.int64))
        two = self.upload(np.zeros(2, np.uint8))
        self.submit(stream, lambda: self.move(two, one, two, one))
        self.finish()

    def stream(self) -> Any:
        """A stream that does not wait for the null stream."""
        stream = self._idle.pop() if self._idle else self._cupy.cuda.Stream(non_blocking=True)
        self._used.append(stream)
        return stream

    def submit(self, stream: Any, body: Callable[[], None]) -> None:
        """Add to a stream, after what the host did so far."""
        self._null.synchronize()
        with stream:
            body()

    def record(self, stream: Any) -> Any:
        """An event behind the stream so far."""
        event = self._cupy.cuda.Event(disable_timing=True)
        event.record(stream)
        return event

    def follow(self, stream: Any, event: Any) -> None:
        """Let a stream wait for an event."""
        stream.wait_event(event)

    def gate(self, stream: Any) -> int:
        """A gate at the end of a stream, by its number."""
        if self._gates == MOST_GATES:
            raise UnsupportedError(f"more than {MOST_GATES} delays in one run")
        number = self._gates
        self._gates += 1
        self._states[number] = 0
        state = np.uint64(self._pinned.ptr + 8 * number)
        with stream:
            self._gate((1,), (1,), (state, np.uint64(LIMIT_NS)))
        return number

    def open(self, gate: int) -> None:
        """Let a gate pass."""
        self._states[gate, 0] = 1

    def is_done(self, event: Any) -> bool:
        """Whether an event has been reached."""
        return bool(event.done)

    def synchronize(self, event: Any) -> None:
        """Wait for an event."""
        event.synchronize()

    def upload(self, array: NDArray[Any]) -> Any:
        """A copy of an array, complete when this returns."""
        with self._null:
            copy = self._cupy.asarray(array)
            self._null.synchronize()
        self._kept.append(copy)
        return copy

    def move(self, to: Any, to_places: Any, source: Any, places: Any) -> None:
        """Move bytes on the current stream."""
        count = len(places)
        grid = ((count + _THREADS - 1) // _THREADS,)
        self._move(grid, (_THREADS,), (to, to_places, source, places, np.int64(count)))

    def launch(
        self,
        machine: ConcreteMachine,
        op: Operation,
        region: Region,
        grid: Sequence[int],
        arguments: Sequence[Any],
    ) -> bool:
        """Launch a compiled kernel on the current stream; one that has no such form is refused."""
        if not self._kernels.launch(machine, op, region, grid, arguments):
            entry = region.parent_op() or op
            why = self._kernels.refused.get(entry, f"`{op_name(entry)}` is not compiled")
            raise UnsupportedError(f"on a stream, {why}")
        return True

    def finish(self) -> bool:
        """Open every gate, wait for all and forget it; `False` when a gate opened by itself."""
        self._states[: self._gates, 0] = 1
        self._cupy.cuda.Device().synchronize()
        has_held = not self._states[: self._gates, 1].any()
        self._gates = 0
        self._kept.clear()
        self._idle += self._used
        self._used.clear()
        return has_held
