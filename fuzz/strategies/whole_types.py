"""Types of memrefs as the family `whole` draws them, and what it knows of the memrefs in scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Attribute, SSAValue

from verify.ir.attributes import parse_type

Dim: TypeAlias = "int | None"
"""A number in a type; nothing where the type leaves it open."""

BYTES = {"f32": 4, "f64": 8, "i32": 4, "i64": 8, "i8": 1, "index": 8}


@dataclass(frozen=True, slots=True)
class Mem:
    """A ranked memref type; without `strides` its layout is the identity."""

    element: str
    shape: tuple[Dim, ...]
    strides: tuple[Dim, ...] | None = None
    offset: Dim = 0
    space: str = ""

    @property
    def is_static(self) -> bool:
        """Whether every size is in the type."""
        return None not in self.shape

    @property
    def is_identity(self) -> bool:
        """Whether MLIR takes the layout for none: of rows written out it does not see it."""
        return self.strides is None or (self.strides in ((), (1,)) and self.offset == 0)

    def text(self) -> str:
        """The type in MLIR's syntax."""
        parts = ["x".join([*map(_dim, self.shape), self.element])]
        if self.strides is not None:
            shift = "" if self.offset == 0 else f", offset: {_dim(self.offset)}"
            parts.append(f"strided<[{', '.join(map(_dim, self.strides))}]{shift}>")
        if self.space:
            parts.append(self.space)
        return f"memref<{', '.join(parts)}>"

    def type(self) -> Attribute:
        """The type as xDSL has it."""
        return parse_type(self.text())

    def all_strides(self) -> tuple[Dim, ...]:
        """The strides, those of the identity layout worked out; MLIR infers `?` instead of 0."""
        if self.strides is not None:
            return self.strides
        return tuple(stride or None for stride in dense(self.shape))


@dataclass(frozen=True, slots=True)
class Ref:
    """A memref in scope: its type, and how large it really is where that is known.

    `roots` are the numbers of the buffers that it may lie in. A `is_fixed` one is not written.
    Distinct indices of a `is_spread` one are distinct elements. Its base is at most `shift` bytes
    into each of its buffers.
    """

    value: SSAValue
    kind: Mem
    sizes: tuple[Dim, ...]
    roots: tuple[int, ...]
    is_fixed: bool = False
    is_spread: bool = True
    inner: Mem | None = None
    shift: int = 0

    @property
    def has_elements(self) -> bool:
        """Whether there is something to read; sizes that are not known are taken not to be 0."""
        return 0 not in self.sizes

    @property
    def is_static_line(self) -> bool:
        """Whether its type has one dimension, of known size."""
        return len(self.sizes) == 1 and self.kind.is_static


@dataclass(frozen=True, slots=True)
class Index:
    """An index in scope; it is from 0 to `below` - 1 where that is known."""

    value: SSAValue
    below: Dim
    is_affine: bool = False


@dataclass(slots=True)
class Root:
    """A buffer: how many bytes it has, where it lives, and buffers that its cells lead to.

    Its start is a multiple of `alignment` bytes.
    """

    extent: Dim
    place: str = "host"
    leads_to: tuple[int, ...] = ()
    alignment: int = 4


@dataclass(frozen=True, slots=True)
class Work:
    """Something asynchronous that was not waited for; `kind` is `gpu` or `task`.

    The `result` of a task is a number, or the memref of which `ref` tells.
    """

    token: SSAValue
    kind: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    result: SSAValue | None = None
    ref: Ref | None = None

    def meets(self, roots: Sequence[int], *, is_write: bool) -> bool:
        """Whether an access to some buffers must come after it."""
        touched = (*self.writes, *(self.reads if is_write else ()))
        return any(root in touched for root in roots)


def dense(shape: Sequence[Dim]) -> tuple[Dim, ...]:
    """The strides of the identity layout."""
    strides: list[Dim] = []
    step: Dim = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step = None if size is None or step is None else step * size
    return tuple(strides)


def times(a: Dim, b: Dim) -> Dim:
    """The product as MLIR works it out for types."""
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else a * b


def plus(a: Dim, b: Dim) -> Dim:
    """The sum as MLIR works it out for types."""
    return None if a is None or b is None else a + b


def product(numbers: Sequence[int]) -> int:
    """The product of all numbers."""
    total = 1
    for number in numbers:
        total *= number
    return total


def _dim(number: Dim) -> str:
    return "?" if number is None else str(number)
