"""An array module that, like CuPy, never mixes with NumPy by itself; it runs on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.replay.arrays import Arrays


class Foreign:
    """A one-dimensional array behind a wall: NumPy arrays neither enter nor leave unasked."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("an array of another module is used as a NumPy array")

    def __len__(self) -> int:
        return len(self.inner)

    def __getitem__(self, key: Any) -> Foreign:
        return Foreign(self.inner[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(value, np.ndarray):
            raise TypeError("a NumPy array is stored in an array of another module")
        self.inner[key] = value.inner if isinstance(value, Foreign) else value

    def copy(self) -> Foreign:
        """Another array with the same contents."""
        return Foreign(self.inner.copy())

    def get(self) -> Any:
        """A NumPy copy."""
        return self.inner.copy()

    def tobytes(self) -> bytes:
        """The contents."""
        return self.inner.tobytes()


class Module:
    """The functions of an array module that `Arrays` names."""

    @staticmethod
    def zeros(size: int, kind: Any) -> Foreign:
        """An array of zeros."""
        return Foreign(np.zeros(size, kind))

    @staticmethod
    def frombuffer(content: bytes, kind: Any) -> Foreign:
        """An array of bytes."""
        return Foreign(np.frombuffer(content, kind).copy())

    @staticmethod
    def asarray(array: Any) -> Foreign:
        """A copy of a NumPy array."""
        return Foreign(np.array(array))


FOREIGN = Arrays("cuda", "arrays of another module", Module)
