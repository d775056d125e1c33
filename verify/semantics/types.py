"""Types as the semantics sees them: element sizes in bytes, memref shapes and layouts.

Source: the `builtin` dialect's MemRefType; a dimension, stride or offset that is not static is
`None`. Strides and offsets of a layout count elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xdsl.dialects import builtin
from xdsl.ir import Attribute

from verify.semantics.views_by_name import type_name


class UnsupportedError(Exception):
    """The semantics does not cover this op, type or attribute; the text says which."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element type: `kind` is `int`, `index`, `float`, `pointer` or `other`."""

    name: str
    kind: str
    bits: int

    @property
    def size(self) -> int:
        """Bytes that one element takes in memory."""
        return max(1, 1 << ((self.bits + 7) // 8 - 1).bit_length())


@dataclass(frozen=True, slots=True)
class Layout:
    """A memref type: shape, strides and offset in elements, `None` where dynamic."""

    shape: tuple[int | None, ...]
    strides: tuple[int | None, ...]
    offset: int | None
    element: Element
    space: str
    is_identity: bool


_FLOAT_BITS = {"bf16": 16, "f16": 16, "f32": 32, "f64": 64, "f80": 80, "f128": 128, "tf32": 32}


@cache
def element_of(kind: Attribute) -> Element:
    """The element that a value of type `kind` is in memory."""
    match kind:
        case builtin.IntegerType():
            bits = kind.width.data
            return Element(f"i{bits}", "int", bits)
        case builtin.IndexType():
            return Element("index", "index", 64)
        case builtin.ComplexType():
            part = element_of(kind.element_type)
            return Element(f"complex<{part.name}>", "other", 2 * part.bits)
        case builtin.VectorType():
            part = element_of(kind.get_element_type())
            count = 1
            for size in kind.get_shape():
                count *= size
            return Element(str(kind), "other", max(8, part.bits * count))
        case _:
            name = type_name(kind)
            if name in _FLOAT_BITS:
                return Element(name, "float", _FLOAT_BITS[name])
            if name == "llvm.ptr":
                return Element("ptr", "pointer", 64)
            if name in {"memref", "unranked_memref"}:
                return Element("memref", "pointer", 64)
            raise UnsupportedError(f"type `{kind}` has no known size")


def is_memref(kind: Attribute) -> bool:
    """Whether values of this type are views: memrefs, ranked or not, and LLVM pointers."""
    return type_name(kind) in {"memref", "unranked_memref", "llvm.ptr"}


def is_token(kind: Attribute) -> bool:
    """Whether values of this type order asynchronous work."""
    return type_name(kind) in {"gpu.async.token", "async.token", "async.value", "async.group"}


def touches_memory(kind: Attribute) -> bool:
    """Whether a value of this type gives access to memory or orders work on it."""
    return is_memref(kind) or is_token(kind) or "memref" in type_name(kind)


def is_pointer(kind: Attribute) -> bool:
    """Whether `kind` is `!llvm.ptr`."""
    return type_name(kind) == "llvm.ptr"


def space_name(space: Attribute | None) -> str:
    """A memory space in one spelling: empty for the default, a number, or its own text."""
    match space:
        case None | builtin.NoneAttr():
            return ""
        case builtin.IntegerAttr():
            number = space.value.data
            return "" if number == 0 else str(number)
        case _:
            text = str(space)
            for word, number in (("global", "1"), ("workgroup", "3"), ("private", "5")):
                if "address_space" in text and word in text:
                    return number
            return text


@cache
def space_of(kind: Attribute) -> str:
    """The memory space that a view type names."""
    if isinstance(kind, builtin.MemRefType | builtin.UnrankedMemRefType):
        return space_name(kind.memory_space)
    if is_pointer(kind):
        digits = "".join(c for c in str(kind).removeprefix("!llvm.ptr") if c.isdigit())
        return "" if digits in {"", "0"} else digits
    return ""


@cache
def layout_of(kind: Attribute) -> Layout:
    """The layout of a ranked memref type."""
    if not isinstance(kind, builtin.MemRefType):
        raise UnsupportedError(f"`{kind}` is not a ranked memref")
    shape = tuple(None if d < 0 else d for d in kind.get_shape())
    strides, offset, identity = _strides(kind, shape)
    element = element_of(kind.get_element_type())
    return Layout(shape, strides, offset, element, space_of(kind), identity)


def _strides(
    kind: builtin.MemRefType[Attribute], shape: tuple[int | None, ...]
) -> tuple[tuple[int | None, ...], int | None, bool]:
    match kind.layout:
        case builtin.NoneAttr():
            return row_major(shape), 0, True
        case builtin.StridedLayoutAttr():
            return (
                tuple(_static(s) for s in kind.layout.strides.data),
                _static(kind.layout.offset),
                False,
            )
        case builtin.AffineMapAttr() if kind.layout.data == _identity_map(len(shape)):
            return row_major(shape), 0, True
        case _:
            raise UnsupportedError(f"memref layout of `{kind}`")


def _identity_map(rank: int) -> object:
    from xdsl.ir.affine import AffineMap

    return AffineMap.identity(rank)


def _static(value: Attribute) -> int | None:
    if not isinstance(value, builtin.IntAttr):
        return None
    return None if value.data == builtin.DYNAMIC_INDEX else value.data


def row_major(shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Strides of the identity layout, in elements."""
    strides: list[int | None] = []
    running: int | None = 1
    for size in reversed(shape):
        strides.append(running)
        running = None if running is None or size is None else running * size
    return tuple(reversed(strides))
