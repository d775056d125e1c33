"""Small programs with checkpointed loops, as plain data.

A program is one function. Names stand for SSA values and are unique in it. The meaning of the
nodes is that of the MLIR ops which `fuzz.strategies.rendering` prints for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

SIZES = {"f32": 4, "f64": 8, "i32": 4, "i8": 1, "i64": 8, "index": 8}
"""Bytes of one element of each type."""

Dim: TypeAlias = int | None
"""A static number, or `None` for one that is known at run time only."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A strided layout, in elements."""

    strides: tuple[Dim, ...]
    offset: Dim


@dataclass(frozen=True, slots=True)
class MemType:
    """A ranked memref type; no layout means the identity."""

    element: str
    shape: tuple[Dim, ...]
    layout: Layout | None = None


# Index expressions


@dataclass(frozen=True, slots=True)
class Const:
    """A constant index."""

    value: int


@dataclass(frozen=True, slots=True)
class Var:
    """A named index value."""

    name: str


@dataclass(frozen=True, slots=True)
class Bin:
    """`add`, `sub`, `mul`, `rem` or `div` (both unsigned, by a positive constant), `min`."""

    op: str
    left: Ix
    right: Ix


@dataclass(frozen=True, slots=True)
class DimOf:
    """A size of a memref."""

    memory: str
    position: int


Ix: TypeAlias = Const | Var | Bin | DimOf


@dataclass(frozen=True, slots=True)
class Flag:
    """A named truth value."""

    name: str


@dataclass(frozen=True, slots=True)
class Compare:
    """`eq`, `slt` or `sge` of two indices."""

    predicate: str
    left: Ix
    right: Ix


Condition: TypeAlias = Flag | Compare


@dataclass(frozen=True, slots=True)
class Mix:
    """A value to store: half of each named float, or each named integer, plus a bias."""

    element: str
    parts: tuple[str, ...]
    bias: Ix


# Statements


@dataclass(frozen=True, slots=True)
class Load:
    """Read one element."""

    name: str
    memory: str
    indices: tuple[Ix, ...]
    is_affine: bool = False


@dataclass(frozen=True, slots=True)
class LoadIndex:
    """Read one integer as an index, modulo `bound` when that is not zero."""

    name: str
    memory: str
    indices: tuple[Ix, ...]
    bound: int = 0


@dataclass(frozen=True, slots=True)
class Store:
    """Write one element."""

    value: Mix
    memory: str
    indices: tuple[Ix, ...]
    is_affine: bool = False


@dataclass(frozen=True, slots=True)
class Copy:
    """`memref.copy`."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Fill:
    """`linalg.fill` of a whole memref."""

    value: Mix
    memory: str


@dataclass(frozen=True, slots=True)
class Subview:
    """A window; `kept` are the dimensions that a rank-reducing one keeps."""

    name: str
    source: str
    offsets: tuple[int | Ix, ...]
    sizes: tuple[int | Ix, ...]
    strides: tuple[int | Ix, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """The same memref under another type."""

    name: str
    source: str
    type: MemType


@dataclass(frozen=True, slots=True)
class ViewBytes:
    """`memref.view`: elements of another type in a buffer of bytes."""

    name: str
    source: str
    shift: Ix
    element: str
    shape: tuple[int | Ix, ...]


@dataclass(frozen=True, slots=True)
class Collapse:
    """All dimensions as one."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Expand:
    """One static dimension as several."""

    name: str
    source: str
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Transpose:
    """The dimensions in reverse order."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Reinterpret:
    """Offset from the base pointer, sizes and strides set freely."""

    name: str
    source: str
    offset: int | Ix
    sizes: tuple[int | Ix, ...]
    strides: tuple[int | Ix, ...]


View: TypeAlias = Subview | Cast | ViewBytes | Collapse | Expand | Transpose | Reinterpret


@dataclass(frozen=True, slots=True)
class Choose:
    """One of two memrefs of one type, by `arith.select` or by `scf.if`."""

    name: str
    condition: Condition
    first: str
    second: str
    is_branch: bool


@dataclass(frozen=True, slots=True)
class Alloc:
    """A new buffer; a `Fill` or `Copy` that follows sets its elements."""

    name: str
    type: MemType
    sizes: tuple[Ix, ...]


@dataclass(frozen=True, slots=True)
class GetGlobal:
    """The memref of a global of the module."""

    name: str
    symbol: str
    type: MemType


@dataclass(frozen=True, slots=True)
class If:
    """Statements under a condition."""

    condition: Condition
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class Carried:
    """A value carried around a loop: a scalar of `type`, or a memref."""

    name: str
    type: str | MemType
    initial: str
    result: str


@dataclass(frozen=True, slots=True)
class Loop:
    """A counted loop; `kind` is the op. `before` runs in the first region of an `scf.while`.

    `yields` names, for each of `carried`, the value for the next iteration.
    """

    kind: str
    counter: str
    low: Ix
    high: Ix
    step: Ix
    body: tuple[Stmt, ...]
    is_checkpointed: bool = False
    carried: tuple[Carried, ...] = ()
    yields: tuple[str, ...] = ()
    before: tuple[Stmt, ...] = ()


Stmt: TypeAlias = (
    Load | LoadIndex | Store | Copy | Fill | View | Choose | Alloc | GetGlobal | If | Loop
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A function argument: a memref, or `index`, `i1`, `f32`, ..."""

    name: str
    type: str | MemType


@dataclass(frozen=True, slots=True)
class Program:
    """One function and the globals that it uses."""

    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    globals: tuple[tuple[str, MemType], ...] = ()


def nodes(node: Any) -> Iterator[Any]:
    """A node and everything in it."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes(part)
    elif hasattr(node, "__dataclass_fields__"):
        yield node
        for field in fields(node):
            yield from nodes(getattr(node, field.name))


def used_names(node: Any) -> Iterator[str]:
    """Every name that occurs in a node, in order."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from used_names(part)
    elif hasattr(node, "__dataclass_fields__") and not isinstance(node, MemType):
        for field in fields(node):
            yield from used_names(getattr(node, field.name))


def strides_of(kind: MemType) -> tuple[Dim, ...]:
    """Strides in elements, of an identity layout too."""
    if kind.layout is not None:
        return kind.layout.strides
    found: list[Dim] = []
    running: Dim = 1
    for size in reversed(kind.shape):
        found.append(running)
        running = None if running is None or size is None else running * size
    return tuple(reversed(found))


def offset_of(kind: MemType) -> Dim:
    """The offset in elements."""
    return 0 if kind.layout is None else kind.layout.offset


def static(number: int | Ix) -> Dim:
    """A number as a type shows it."""
    return number if isinstance(number, int) else None


def result_type(view: View, source: MemType) -> MemType:
    """The type that MLIR infers for a view of a memref of type `source`."""
    match view:
        case Subview():
            return _subview_type(view, source)
        case Cast():
            return view.type
        case ViewBytes():
            return MemType(view.element, tuple(static(s) for s in view.shape))
        case Collapse():
            total = None if None in source.shape else _product(source.shape)
            return MemType(source.element, (total,))
        case Expand():
            return _expanded_type(view, source)
        case Transpose():
            strides = tuple(reversed(strides_of(source)))
            shape = tuple(reversed(source.shape))
            return MemType(source.element, shape, Layout(strides, offset_of(source)))
        case Reinterpret():
            layout = Layout(tuple(static(s) for s in view.strides), static(view.offset))
            return MemType(source.element, tuple(static(s) for s in view.sizes), layout)


def _product(numbers: tuple[Dim, ...]) -> int:
    total = 1
    for number in numbers:
        total *= number or 0
    return total


def _times(a: Dim, b: Dim) -> Dim:
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else a * b


def _subview_type(view: Subview, source: MemType) -> MemType:
    old = strides_of(source)
    offset = offset_of(source)
    for shift, stride in zip(view.offsets, old, strict=True):
        moved = _times(static(shift), stride)
        offset = None if offset is None or moved is None else offset + moved
    strides = [_times(static(s), o) for s, o in zip(view.strides, old, strict=True)]
    shape = tuple(static(view.sizes[d]) for d in view.kept)
    return MemType(source.element, shape, Layout(tuple(strides[d] for d in view.kept), offset))


def _expanded_type(view: Expand, source: MemType) -> MemType:
    if source.layout is None:
        return MemType(source.element, view.shape)
    (running,) = strides_of(source)
    strides: list[Dim] = []
    for size in reversed(view.shape):
        strides.append(running)
        running = _times(running, size)
    plain = MemType(source.element, view.shape)
    layout = Layout(tuple(reversed(strides)), offset_of(source))
    return plain if layout == Layout(strides_of(plain), 0) else replace(plain, layout=layout)
