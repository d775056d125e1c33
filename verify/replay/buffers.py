"""Concrete memory: byte arrays with the views that the semantics asks for.

A buffer keeps its bytes where its `Arrays` hold them; `host` and `assign` move all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import builtin
from xdsl.ir import Attribute

from verify.replay.arrays import CPU, Arrays
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.rounding import round_bf16
from verify.semantics.types import Element, UnsupportedError, element_of
from verify.semantics.values import View

_ids = count()

_FLOATS: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


@dataclass(eq=False, slots=True)
class Buffer:
    """One allocation: bytes, the space it lives in, and pointers stored in it.

    `valid` is the half-open range of bytes that a snapshot really holds; reads outside give
    garbage and writes outside are noted in `strays`. `objects` holds memrefs by byte offset.
    """

    data: NDArray[np.uint8]
    name: str
    space: str = ""
    valid: NDArray[np.bool_] | None = None
    strays: list[int] = field(default_factory=list)
    objects: dict[int, Any] = field(default_factory=dict)
    is_freed: bool = False
    address: int = 0
    arrays: Arrays = CPU
    id: int = field(default_factory=lambda: next(_ids))

    def host(self) -> NDArray[np.uint8]:
        """All bytes in NumPy: the memory itself on the CPU, else a copy."""
        return self.arrays.to_host(self.data)

    def assign(self, contents: NDArray[np.uint8]) -> None:
        """Take over all bytes from NumPy, which may be what `host` gave."""
        if contents is not self.data:
            self.data = self.arrays.from_host(contents)

    def copy_state(self) -> tuple[NDArray[np.uint8], dict[int, Any], bool]:
        """What a later `restore` brings back."""
        return self.data.copy(), dict(self.objects), self.is_freed

    def restore(self, state: tuple[NDArray[np.uint8], dict[int, Any], bool]) -> None:
        """Bring back a state saved by `copy_state`."""
        self.data[:] = state[0]
        self.objects = dict(state[1])
        self.is_freed = state[2]


def byte_place(view: View, indices: tuple[int, ...]) -> int:
    """The byte at which an element lies; out of bounds is undefined behaviour."""
    place = view.offset
    assert isinstance(place, int)
    if view.sizes is None:
        return place
    if len(indices) != len(view.sizes):
        raise UnsupportedError("an access with the wrong number of indices")
    for index, size, stride in zip(indices, view.sizes, view.strides, strict=True):
        assert isinstance(size, int)
        assert isinstance(stride, int)
        if not 0 <= index < size:
            raise UndefinedBehaviourError(f"index {index} outside [0, {size})")
        place += index * stride
    return place


def read_bytes(buffer: Buffer, place: int, size: int) -> bytes:
    """`size` bytes; beyond a snapshot's copy there is garbage, beyond a buffer an error."""
    if buffer.is_freed:
        raise UndefinedBehaviourError(f"{buffer.name} is read after it was freed")
    if place >= 0 and place + size <= len(buffer.data):
        return buffer.data[place : place + size].tobytes()
    if buffer.valid is None:
        raise UndefinedBehaviourError(f"byte {place} is outside {buffer.name}")
    return bytes((0xA5 ^ (17 * (place + k)) & 0xFF) for k in range(size))


def write_bytes(buffer: Buffer, place: int, content: bytes) -> None:
    """Overwrite bytes, with the same limits as `read_bytes`."""
    if buffer.is_freed:
        raise UndefinedBehaviourError(f"{buffer.name} is written after it was freed")
    if not (place >= 0 and place + len(content) <= len(buffer.data)):
        if buffer.valid is None:
            raise UndefinedBehaviourError(f"byte {place} is outside {buffer.name}")
        buffer.strays.append(place)
        return
    if buffer.valid is not None and not buffer.valid[place : place + len(content)].all():
        buffer.strays.append(place)
    end = place + len(content)
    buffer.data[place:end] = buffer.arrays.module.frombuffer(content, np.uint8)


def decode(content: bytes, kind: Attribute) -> Any:
    """The value of type `kind` that some bytes hold."""
    return decode_element(content, element_of(kind))


def decode_element(content: bytes, element: Element) -> Any:
    """The value of an element type that some bytes hold; bytes where it has no plain form."""
    match element.kind:
        case "int" | "index":
            number = int.from_bytes(content[: element.size], "little", signed=False)
            if element.bits == 1:
                return bool(number & 1)
            half = 1 << (element.bits - 1)
            return (number + half) % (1 << element.bits) - half
        case "float":
            return _decode_float(content, element)
        case _:
            return content


def _decode_float(content: bytes, element: Element) -> Any:
    if element.name == "bf16":
        high = np.frombuffer(content, np.uint16).astype(np.uint32) << 16
        return high.view(np.float32)[0]
    if element.name not in _FLOATS:
        return content
    return np.frombuffer(content, _FLOATS[element.name])[0]


def encode(value: Any, kind: Attribute) -> bytes:
    """The bytes of a value of type `kind`."""
    element = element_of(kind)
    if isinstance(value, bytes):
        return value[: element.size].ljust(element.size, b"\0")
    match element.kind:
        case "int" | "index":
            number = int(value) if not isinstance(value, bool) else int(value) & 1
            mask = (1 << (8 * element.size)) - 1
            return (number & mask).to_bytes(element.size, "little")
        case "float" if element.name == "bf16":
            bits = np.array(round_bf16(np.float32(value)), np.float32).view(np.uint32)
            return int(bits >> 16).to_bytes(2, "little")
        case "float" if element.name in _FLOATS:
            return np.array(value, _FLOATS[element.name]).tobytes()
        case _:
            raise UnsupportedError(f"a value of type {element.name} in memory")


def initial_bytes(value: Attribute | None) -> bytes:
    """What a global holds at first, where an attribute tells; nothing for any other."""
    match value:
        case builtin.DenseIntOrFPElementsAttr():
            kind = value.get_element_type()
            if isinstance(kind, builtin.AnyFloat):
                return value.data.data  # its numbers have lost the bits of NaNs
            return b"".join(encode(v, kind) for v in value.get_values())
        case builtin.IntegerAttr() | builtin.FloatAttr():
            return encode(value.value.data, value.type)
        case builtin.StringAttr():
            return value.data.encode()
        case _:
            return b""
