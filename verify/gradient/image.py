"""Images: where each argument, shadow, seed and result of a function lies in one block of bytes.

All programs of one function share a layout, so that their images can be compared. Between two
sections there are guard bytes that no program may change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute

from verify.gradient.signature import GradientUsageError, Signature, Value
from verify.replay.inputs import Inputs
from verify.semantics.types import Element, Layout, layout_of, row_major

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.float64]

GUARD_BYTES = 64
GUARD = 0xA5
RAW_BYTES = 256
MOST_BYTES = 1 << 22
_ALIGNMENT = 64
_FLOATS: dict[str, Any] = {"f64": np.float64, "f32": np.float32, "f16": np.float16}


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of an image: `place` and `size` in bytes, the rest in elements.

    `role` is `value`, `shadow`, `seed` or `result`; `position` counts arguments or results.
    """

    role: str
    position: int
    name: str
    kind: Attribute
    form: str
    element: Element
    place: int
    size: int
    start: int = 0
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    span: int = 1

    def places(self) -> NDArray[np.int64]:
        """The index of each element, counted from the start of the section, in row-major order."""
        found = np.full(self.shape, self.start, np.int64)
        for axis, (count, stride) in enumerate(zip(self.shape, self.strides, strict=True)):
            steps = [1] * len(self.shape)
            steps[axis] = count
            found = found + (np.arange(count) * stride).reshape(steps)
        return found.ravel()

    def labels(self) -> list[str]:
        """What each element is called in a report."""
        if self.form == "scalar":
            return [self.name]
        return [
            f"{self.name}[{', '.join(map(str, indices))}]" for indices in np.ndindex(*self.shape)
        ]


@dataclass(frozen=True, slots=True)
class ImageLayout:
    """The sections of an image, each under its role and position."""

    sections: dict[tuple[str, int], Section] = field(default_factory=dict)
    size: int = 0

    def of_role(self, role: str) -> list[Section]:
        """All sections of a role, by position."""
        return [each for each in self.sections.values() if each.role == role]

    def blank(self) -> Bytes:
        """An image of guards with zeros in every section."""
        image = np.full(self.size, GUARD, np.uint8)
        for section in self.sections.values():
            image[section.place : section.place + section.size] = 0
        return image

    def guards_hold(self, image: Bytes) -> bool:
        """Whether nothing was written between two sections."""
        is_guard = np.ones(self.size, np.bool_)
        for section in self.sections.values():
            is_guard[section.place : section.place + section.size] = False
        return bool((image[is_guard] == GUARD).all())


def lay_out(signature: Signature, inputs: Inputs) -> ImageLayout:
    """A layout for the function; dynamic sizes, strides and offsets are drawn from `inputs`."""
    sections: dict[tuple[str, int], Section] = {}
    end = GUARD_BYTES

    def add(role: str, position: int, value: Value, name: str) -> None:
        nonlocal end
        section = _section(role, position, value, name, end, inputs)
        sections[role, position] = section
        end += -(-section.size // _ALIGNMENT) * _ALIGNMENT + GUARD_BYTES
        if end > MOST_BYTES:
            raise GradientUsageError(f"`{value.name}` takes more than {MOST_BYTES} bytes")

    for position, value in enumerate(signature.arguments):
        add("value", position, value, value.name)
        if value.is_active:
            add("shadow", position, value, value.name)
    for position, value in enumerate(signature.results):
        add("result", position, value, value.name)
        if value.is_active:
            add("seed", position, value, value.name)
    return ImageLayout(sections, end)


def read_numbers(section: Section, image: Bytes) -> Numbers:
    """The elements of a section as floats of double precision."""
    raw = _raw(section, image)
    if section.element.name == "bf16":
        wide = raw.astype(np.uint32) << 16
        return wide.view(np.float32).astype(np.float64)[section.places()]
    return raw[section.places()].astype(np.float64)


def write_numbers(section: Section, image: Bytes, numbers: Any) -> None:
    """Put floats or integers into the elements of a section, rounded to its type."""
    raw = _raw(section, image)
    if section.element.name == "bf16":
        bits = np.asarray(numbers, np.float32).view(np.uint32).astype(np.uint64)
        raw[section.places()] = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
        return
    raw[section.places()] = np.asarray(numbers).astype(raw.dtype)


def _raw(section: Section, image: Bytes) -> NDArray[Any]:
    """The memory of a section as an array that writes through to the image."""
    unit = section.element.size
    content = image[section.place : section.place + section.span * unit]
    if section.element.name in _FLOATS:
        return content.view(_FLOATS[section.element.name])
    is_signed = section.element.kind != "float" and section.element.bits > 1
    return content.view(np.dtype(f"{'i' if is_signed else 'u'}{unit}"))


def _section(
    role: str, position: int, value: Value, name: str, place: int, inputs: Inputs
) -> Section:
    unit = value.element.size
    made: dict[str, Any] = {"shape": (), "strides": (), "start": 0, "span": 1}
    if value.form == "pointer":
        count = RAW_BYTES // unit
        made = {"shape": (count,), "strides": (1,), "start": 0, "span": count}
    elif value.form == "memref":
        made = _spread(position, layout_of(value.kind), inputs)
    size = -(-made["span"] * unit // 8) * 8
    head = (role, position, name, value.kind, value.form, value.element, place, size)
    return Section(*head, **made)


def _spread(position: int, layout: Layout, inputs: Inputs) -> dict[str, Any]:
    """Shape, strides and start of a memref, and how many elements its memory has."""
    shape = [inputs.size(position, d) if s is None else s for d, s in enumerate(layout.shape)]
    dense = [stride or 0 for stride in row_major(tuple(shape))]
    strides = [
        inputs.strides.get((position, d), dense[d]) if s is None else s
        for d, s in enumerate(layout.strides)
    ]
    start = layout.offset
    if start is None:
        drawn = inputs.generator(("offset", position)).randint(0, 3)
        start = inputs.offsets.get(position, drawn)
    reach = [(n - 1) * s for n, s in zip(shape, strides, strict=True)] if all(shape) else []
    low = start + sum(min(0, each) for each in reach)
    if low < 0:
        raise GradientUsageError(f"argument {position} reaches in front of its memory")
    span = start + sum(max(0, each) for each in reach) + 1
    if math.prod(shape) > MOST_BYTES:
        raise GradientUsageError(f"argument {position} has {math.prod(shape)} elements")
    return {
        "shape": tuple(shape),
        "strides": tuple(strides),
        "start": start,
        "span": span,
    }
