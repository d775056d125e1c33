"""Where memories lie: the views of arguments, allocations and globals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects import builtin
from xdsl.ir import Attribute, Operation

from verify.ir.names import attr
from verify.model.memory import Memory, Place
from verify.semantics import term as t
from verify.semantics.memref import dense_strides
from verify.semantics.term import Condition, Number, Var
from verify.semantics.types import Layout, layout_of, space_of
from verify.semantics.values import View, Views

if TYPE_CHECKING:
    from verify.model.symbolic import SymbolicMachine

MAX_BYTES = (1 << 63) - 1


def view_of(
    m: SymbolicMachine, memory: Memory, kind: Attribute, *, is_placed: bool = True
) -> Views:
    """A view of a whole memory by its type; dynamic parts are fresh."""
    if not isinstance(kind, builtin.MemRefType):
        start = 0 if is_placed else m.fresh("offset", 0)
        view = View(memory, start, None, (), None, start, space_of(kind))
        return Views(((True, view),))
    layout = layout_of(kind)
    unit = layout.element.size
    sizes = [
        m.fresh("size", 0, MAX_BYTES // unit, (memory, d)) if s is None else s
        for d, s in enumerate(layout.shape)
    ]
    strides = _strides(m, layout, sizes, memory)
    offset: Number = 0
    if layout.offset is None:
        offset = m.fresh("offset", 0, MAX_BYTES // unit, (memory, "offset"))
    else:
        offset = layout.offset
    base: Number = 0 if is_placed else m.fresh("base", 0)
    start = base + t.times(offset, unit)
    view = View(memory, start, tuple(sizes), strides, layout.element, base, layout.space)
    if layout.is_identity and memory.kind == "global" and memory.extent is None:
        memory.extent = _total(m, sizes, unit)
    return Views(((True, view),))


def _total(m: SymbolicMachine, sizes: Sequence[Number], unit: int) -> Number:
    total: Number = unit
    for size in sizes:
        total = m.algebra.multiply(total, size)
    return total


def in_allocation(place: Place) -> list[Condition]:
    """An access stays in its allocation; this is news only for views made from pointers."""
    extent = place.view.memory.extent
    if place.view.is_contained or extent is None or place.view.memory.kind == "unknown":
        return []
    return [t.at_most(0, place.address), t.at_most(place.address + place.size, extent)]


def _strides(
    m: SymbolicMachine, layout: Layout, sizes: Sequence[Number], memory: Memory
) -> tuple[Number, ...]:
    unit = layout.element.size
    if layout.is_identity:
        return tuple(dense_strides(m, sizes, unit))
    return tuple(
        t.times(m.fresh("stride", None, None, (memory, "stride", d)), unit)
        if s is None
        else s * unit
        for d, s in enumerate(layout.strides)
    )


def allocate(
    m: SymbolicMachine, op: Operation, kind: Attribute, sizes: Sequence[Number], space: str
) -> Any:
    """A view of a fresh allocation; `sizes` are the dynamic dimensions."""
    layout = layout_of(kind)
    dynamic = iter(sizes)
    shape = [next(dynamic, 0) if s is None else s for s in layout.shape]
    memory = Memory("alloc", "", space, origin=op, scope=m.memory_scope)
    unit = layout.element.size
    if layout.is_identity or (not layout.offset and None not in layout.strides):
        strides = (
            tuple(dense_strides(m, shape, unit))
            if layout.is_identity
            else tuple(s * unit for s in layout.strides if s is not None)
        )
        view = View(memory, 0, tuple(shape), strides, layout.element, 0, layout.space)
        if layout.is_identity:
            memory.extent = _total(m, shape, unit)
        return Views(((True, view),))
    return view_of(m, memory, kind)


def global_memory(m: SymbolicMachine, op: Operation, symbol: str, kind: Attribute | None) -> Any:
    """A view of the global `symbol`, the same memory at every use."""
    memory = m.memories.get(symbol)
    if memory is None:
        target = m.symbols.get(symbol)
        constant = target is not None and attr(target, "constant") is not None
        space = space_of(op.results[0].type)
        memory = Memory("global", symbol, space, origin=target, is_constant=constant)
        if m.may_alias:
            memory.address = Var("address", 0, None, (), ("address", symbol))
        m.memories[symbol] = memory
    return view_of(m, memory, kind if kind is not None else op.results[0].type)
