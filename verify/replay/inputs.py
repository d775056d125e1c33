"""Concrete inputs of a function: what a solution asks for, the rest drawn from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.ir import Operation

from verify.semantics.types import Element


@dataclass(slots=True)
class Inputs:
    """Choices for one concrete run; anything missing is drawn from `seed`.

    `scalars` maps argument positions to integers, `sizes`, `strides` and `offsets` map
    `(position, dimension)` or positions to elements, `addresses` maps positions to the bytes at
    which arguments start in one address space, `scale` widens what is drawn, `loads`
    gives integers that loads should find, `drawn` is how many bytes of a buffer are drawn (all
    where it is `None`); the others are zero.
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

    def generator(self, salt: object = "") -> random.Random:
        """A generator that depends on the seed and on `salt` alone."""
        return random.Random(f"{self.seed}/{salt}")

    def scalar(self, position: int, bits: int) -> int:
        """An integer argument; small and positive when nothing asks otherwise."""
        if position in self.scalars:
            return self.scalars[position]
        draw = self.generator(("scalar", position))
        return draw.choice([0, 1]) - (1 if bits == 1 else 0) if bits == 1 else draw.randint(0, 4)

    def size(self, position: int, dimension: int) -> int:
        """A dynamic dimension of an argument."""
        key = (position, dimension)
        if key in self.sizes:
            return self.sizes[key]
        return self.generator(("size", key)).randint(1, 8 * self.scale)


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
