"""Byte memory and strided views for the reference executor; nothing of `verify` is used here."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzz.strategies.syntax import SIZES, MemType

FORMATS = {"f32": "<f", "f64": "<d", "i32": "<i", "i8": "<b", "i64": "<q", "index": "<q"}
BITS = {"i32": 32, "i8": 8, "i64": 64, "index": 64}
GARBAGE = 0xA5
SLACK = 24


class UndefinedError(Exception):
    """The run left what MLIR defines; it proves nothing."""


class StrayWriteError(Exception):
    """A replay wrote beyond the elements that a snapshot holds."""


@dataclass(eq=False, slots=True)
class Block:
    """One allocation, or a snapshot's copy, whose `valid` bytes are the copied ones."""

    data: NDArray[np.uint8]
    valid: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Strided:
    """A view: byte offsets from the start of its block; `base` is where offset 0 of its type is."""

    block: Block
    base: int
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    kind: MemType

    @property
    def unit(self) -> int:
        """Bytes of an element."""
        return SIZES[self.kind.element]

    def place(self, indices: list[int]) -> int:
        """The first byte of an element."""
        at = self.offset
        for index, size, stride in zip(indices, self.sizes, self.strides, strict=True):
            if not 0 <= index < size:
                raise UndefinedError("an index is out of bounds")
            at += index * stride
        return at

    def places(self) -> NDArray[np.int64]:
        """The first bytes of all elements, in row-major order."""
        at = np.array([self.offset], np.int64)
        for size, stride in zip(self.sizes, self.strides, strict=True):
            at = (at[:, None] + np.arange(size, dtype=np.int64) * stride).ravel()
        return at

    def bytes(self) -> NDArray[np.int64]:
        """All bytes of all elements."""
        return (self.places()[:, None] + np.arange(self.unit)).ravel()


def read(block: Block, place: int, size: int) -> bytes:
    """Some bytes; beyond a copy there is garbage, beyond an allocation nothing is defined."""
    if place >= 0 and place + size <= len(block.data):
        return block.data[place : place + size].tobytes()
    if block.valid is None:
        raise UndefinedError("a read beyond the allocation")
    return bytes([GARBAGE]) * size


def write(block: Block, place: int, content: bytes) -> None:
    """Overwrite some bytes."""
    end = place + len(content)
    inside = place >= 0 and end <= len(block.data)
    if block.valid is None:
        if not inside:
            raise UndefinedError("a write beyond the allocation")
    elif not inside or not block.valid[place:end].all():
        raise StrayWriteError
    block.data[place:end] = np.frombuffer(content, np.uint8)


def decode(content: bytes, element: str) -> Any:
    """The number that bytes hold."""
    return struct.unpack(FORMATS[element], content)[0]


def encode(value: Any, element: str) -> bytes:
    """The bytes of a number: rounded, or wrapped around."""
    if element in BITS:
        half = 1 << (BITS[element] - 1)
        return struct.pack(FORMATS[element], (int(value) + half) % (2 * half) - half)
    try:
        return struct.pack(FORMATS[element], value)
    except OverflowError:
        return struct.pack(FORMATS[element], float("inf") if value > 0 else float("-inf"))


def snapshot(view: Strided, memory: NDArray[np.uint8], shift: int | None) -> Strided:
    """A copy of exactly the elements that `view` spans, as `memory` holds them.

    `shift` says by how many elements the base pointer of the copy lies before its first element;
    `None` keeps the distance that it has in `view`.
    """
    places = view.bytes()
    low, high = (int(places.min()), int(places.max()) + 1) if places.size else (0, 0)
    if places.size and (low < 0 or high > len(memory)):
        raise UndefinedError("a captured view reaches beyond its allocation")
    slack = SLACK * view.unit
    block = Block(np.full(high - low + 2 * slack, GARBAGE, np.uint8), None)
    block.valid = np.zeros(len(block.data), np.bool_)
    block.data[places - low + slack] = memory[places]
    block.valid[places - low + slack] = True
    offset = view.offset - low + slack
    back = view.offset - view.base if shift is None else shift * view.unit
    return Strided(block, offset - back, offset, view.sizes, view.strides, view.kind)
