"""Kernels on a GPU, by CuPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.replay.cuda.kernel import DOUBLE, FLOAT
from verify.replay.cuda.launch import Launch, Parameter, Place
from verify.replay.cuda.nvrtc import OPTIONS

_SCALARS = {FLOAT: np.float32, DOUBLE: np.float64}


class DeviceKernels:
    """Compiles each kernel when it is first launched; waits until a launch is done."""

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._functions: dict[str, Any] = {}

    def run(self, launch: Launch) -> None:
        """Launch a kernel on the current stream and wait for it."""
        self.issue(launch)
        self._cupy.cuda.get_current_stream().synchronize()

    def issue(self, launch: Launch) -> None:
        """Launch a kernel on the current stream."""
        kernel = launch.kernel
        if kernel.text not in self._functions:
            module = self._cupy.RawModule(code=kernel.text, options=OPTIONS, backend="nvrtc")
            self._functions[kernel.text] = module.get_function(kernel.name)
        pairs = zip(kernel.parameters, launch.parameters, strict=True)
        values = tuple(self._scalar(kind, value) for kind, value in pairs)
        self._functions[kernel.text](launch.grid, launch.block, values)

    @staticmethod
    def _scalar(kind: str, value: Parameter) -> Any:
        if isinstance(value, Place):
            data: Any = value.buffer.data
            return np.uint64((int(data.data.ptr) + value.byte) % (1 << 64))
        return _SCALARS.get(kind, np.int64)(value)
