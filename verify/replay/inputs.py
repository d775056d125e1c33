"""Concrete inputs of a function: what a solution asks for, the rest drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from xdsl.ir import Operation

from verify.recipe import Contents
from verify.semantics.types import Element, UnsupportedError

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(slots=True)
class Inputs:
    """Choices for one concrete run; anything missing is drawn from `seed`.

    `scalars` maps argument positions to integers, `sizes`, `strides` and `offsets` map
    `(position, dimension)` or positions to elements, `addresses` maps positions to the bytes at
    which arguments start in one address space, `scale` widens what is drawn, `loads`
    gives integers that loads should find, `drawn` is how many bytes of a buffer are drawn (all
    where it is `None`); the others are zero. `floats` are the other scalars, and `contents` what
    buffers hold at first. With `is_recording`, everything that is drawn is written down here.
    """

    seed: int = 0
    scalars: dict[int, int] = field(default_factory=dict)
    sizes: dict[tuple[int, int], int] = field(default_factory=dict)
    strides: dict[tuple[int, int], int] = field(default_factory=dict)
    offsets: dict[int, int] = field(default_factory=dict)
    addresses: dict[object, int] = field(default_factory=dict)
    loads: dict[Operation, int] = field(default_factory=dict)
    is_overlapping: bool = False
    scale: int = 1
    drawn: int | None = None
    floats: dict[int, float] = field(default_factory=dict)
    contents: dict[str, Contents] = field(default_factory=dict)
    is_recording: bool = False

    def generator(self, salt: object = "") -> random.Random:
        """A generator that depends on the seed and on `salt` alone."""
        return random.Random(f"{self.seed}/{salt}")

    def scalar(self, position: int, bits: int) -> int:
        """An integer argument; small and positive when nothing asks otherwise."""
        if position in self.scalars:
            return self.scalars[position]
        draw = self.generator(("scalar", position))
        value = draw.choice([0, 1]) - 1 if bits == 1 else draw.randint(0, 4)
        return self._noted(self.scalars, position, value)

    def float_scalar(self, position: int) -> float:
        """A scalar argument that is no integer."""
        if position in self.floats:
            return self.floats[position]
        value = self.generator(("float", position)).uniform(0.5, 1.5)
        return self._noted(self.floats, position, value)

    def offset(self, position: int) -> int:
        """The offset of an argument whose type leaves it open, in elements."""
        if position in self.offsets:
            return self.offsets[position]
        value = self.generator(("offset", position)).randint(0, 3)
        return self._noted(self.offsets, position, value)

    def size(self, position: int, dimension: int) -> int:
        """A dynamic dimension of an argument."""
        key = (position, dimension)
        if key in self.sizes:
            return self.sizes[key]
        value = self.generator(("size", key)).randint(1, 8 * self.scale)
        return self._noted(self.sizes, key, value)

    def settle(
        self, name: str, data: np.ndarray[Any, Any], element: Element, draw: Callable[[], None]
    ) -> None:
        """Put into `data` the contents that are given under `name`, else what `draw` puts there."""
        given = self.contents.get(name)
        if given is None:
            draw()
            self._noted(self.contents, name, Contents(element.name, data.tobytes()))
        elif len(given.data) != len(data):
            wanted = f"{len(given.data)} bytes are given and {len(data)} are wanted"
            raise UnsupportedError(f"the contents of {name}: {wanted}")
        else:
            data[:] = np.frombuffer(given.data, np.uint8)

    def _noted(self, place: dict[Key, Value], key: Key, value: Value) -> Value:
        if self.is_recording:
            place[key] = value
        return value


def fill(data: np.ndarray[Any, Any], element: Element, draw: random.Random) -> None:
    """Fill bytes with distinct, harmless values of an element type."""
    count = len(data) // element.size
    if element.kind == "float" and element.name in ("f32", "f64", "f16"):
        kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[element.name]
        values = np.array([draw.uniform(0.5, 1.5) for _ in range(count)], kind)
        data[: count * element.size] = values.view(np.uint8)
    elif element.kind in ("int", "index") and element.bits > 1:
        for i in range(count):
            number = draw.randint(0, 3)
            raw = number.to_bytes(element.size, "little")
            data[i * element.size : (i + 1) * element.size] = np.frombuffer(raw, np.uint8)
    elif element.name == "bf16":
        values = np.array([draw.uniform(0.5, 1.5) for _ in range(count)], np.float32)
        data[: count * 2] = (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
    else:
        data[:] = np.frombuffer(draw.randbytes(len(data)), np.uint8)
        if element.bits == 1:
            data &= 1
