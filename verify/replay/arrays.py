"""Where the memory of a concrete run is held: in NumPy arrays, or in CuPy arrays on a GPU."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.ir import Operation, Region

    from verify.replay.concrete import ConcreteMachine
    from verify.replay.streams import Streams

_CONNECTIONS = "CUDA_DEVICE_MAX_CONNECTIONS"
"""How many streams a GPU keeps apart; it is read once, when CUDA starts."""
DEVICES = ("cpu", "cuda", "auto")


class DeviceError(Exception):
    """A device that is asked for cannot be used; the text says why."""


class Launcher(Protocol):
    """Runs kernels as compiled code."""

    def launch(
        self,
        machine: ConcreteMachine,
        op: Operation,
        region: Region,
        grid: Sequence[int],
        arguments: Sequence[Any],
    ) -> bool:
        """Run the kernel with body `region`; `False` when it has no compiled form."""
        ...


@dataclass(frozen=True, slots=True)
class Arrays:
    """An array module: NumPy, or one with the same functions whose arrays lie on a device.

    `device` is `cpu` or `cuda`, `name` what a report calls it; `note` says why `auto` chose it.
    `launcher` runs kernels as compiled code; without one their threads are run one by one.
    `streams` gives what runs asynchronous work as the device does, where it has that.
    """

    device: str
    name: str
    module: Any
    note: str = ""
    launcher: Launcher | None = None
    streams: Callable[[], Streams] | None = None

    def watched(self) -> Arrays:
        """The same arrays, on which threads run one by one, so that each of their reads is seen."""
        return replace(self, launcher=None)

    def zeros(self, size: int) -> Any:
        """`size` bytes that are zero."""
        return self.module.zeros(size, np.uint8)

    def from_bytes(self, content: bytes) -> Any:
        """An array of these bytes."""
        return self.module.frombuffer(content, np.uint8)

    def from_host(self, array: NDArray[np.uint8]) -> Any:
        """A NumPy array in this module: itself on the CPU, else a copy."""
        return self.module.asarray(array)

    def to_host(self, array: Any) -> NDArray[np.uint8]:
        """An array of this module in NumPy: itself on the CPU, else a copy."""
        return array if isinstance(array, np.ndarray) else array.get()


CPU = Arrays("cpu", "CPU", np)


def arrays_for(device: str) -> Arrays:
    """The array module for `cpu`, `cuda` or `auto`, which takes the CPU where no GPU is.

    A GPU that cannot be used is a `DeviceError`.
    """
    if device not in DEVICES:
        raise DeviceError(f"the device `{device}` is none of {', '.join(DEVICES)}")
    if device == "cpu":
        return CPU
    try:
        return _cupy()
    except DeviceError as error:
        if device == "cuda":
            raise
        return Arrays("cpu", CPU.name, np, f"runs on the CPU: {error}")


def _cupy() -> Arrays:
    os.environ.setdefault(_CONNECTIONS, "32")
    try:
        import cupy
    except (ImportError, OSError) as error:
        raise DeviceError(f"CuPy cannot be imported: {_first_line(error)}") from error
    try:
        count = cupy.cuda.runtime.getDeviceCount()
        if not count:
            raise DeviceError("there is no CUDA device")
        properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
        cupy.zeros(1, np.uint8).get()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise DeviceError(f"the CUDA device cannot be used: {_first_line(error)}") from error
    from verify.replay.cuda.launch import CompiledKernels
    from verify.replay.cuda.on_device import DeviceKernels
    from verify.replay.cuda.streams import CudaStreams

    launcher = CompiledKernels(DeviceKernels(cupy))
    name = properties["name"].decode()
    return Arrays("cuda", name, cupy, launcher=launcher, streams=cache(partial(CudaStreams, cupy)))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
