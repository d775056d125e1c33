"""How the body of a checkpointed loop sees what the loop captures: through snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.dialects import builtin
from xdsl.ir import Operation, SSAValue

from verify.model.memory import Access, Capture, LoopInfo
from verify.semantics import term as t
from verify.semantics.extents import extent_of
from verify.semantics.memref import dense_strides
from verify.semantics.term import Number, Var
from verify.semantics.types import is_pointer, layout_of
from verify.semantics.values import View, Views

if TYPE_CHECKING:
    from verify.model.symbolic import SymbolicMachine


def capture_views(m: SymbolicMachine, info: LoopInfo, values: Sequence[SSAValue]) -> list[Capture]:
    """The snapshotted captures among `values`; the loop's body sees each through the capture.

    A pointer without a stated extent cannot be copied and stays what it is.
    """
    captures: list[Capture] = []
    for value in values:
        known = m.value(value)
        extent = extent_of(m, value) if is_pointer(value.type) else None
        if not isinstance(known, Views) or (is_pointer(value.type) and extent is None):
            continue
        capture = Capture(value, known, len(captures), extent=extent)
        captures.append(capture)
        m.env[value] = seen_through(m, info, capture, known)
        capture.elements = elements_of(m, info.op, known)
        capture.totals = totals_of(m, known)
    return captures


def totals_of(m: SymbolicMachine, views: Views) -> dict[int, Number]:
    """The bytes that each choice without holes spans, by its memory."""
    found: dict[int, Number] = {}
    for _, view in views.choices:
        if view.sizes is None or view.element is None:
            continue
        dense = tuple(dense_strides(m, view.sizes, view.element.size))
        if dense == view.strides:
            first = view.strides[0] if view.sizes else view.element.size
            found[view.memory.id] = m.algebra.multiply(view.sizes[0] if view.sizes else 1, first)
    return found


def elements_of(m: SymbolicMachine, op: Operation, views: Views) -> list[Access]:
    """One access to an arbitrary element of each choice of a captured value."""
    start = len(m.accesses)
    if all(v.sizes is not None for _, v in views.choices):
        m.touch(op, views, is_write=False)
    found = m.accesses[start:]
    del m.accesses[start:]
    return found


def seen_through(m: SymbolicMachine, info: LoopInfo, capture: Capture, views: Views) -> Views:
    """Views as the body reaches them; where the type leaves the offset open, it is unknown."""
    kind = capture.value.type
    is_open = isinstance(kind, builtin.MemRefType) and layout_of(kind).offset is None

    def change(view: View) -> View:
        tagged = view.through(info.id, capture)
        if not is_open or view.element is None:
            return tagged
        unit = view.element.size
        offset = _layout_offset(m, capture, view.offset - view.base, unit)
        return replace(tagged, base=view.offset - t.times(offset.term(), unit))

    return views.map(change)


def _layout_offset(m: SymbolicMachine, capture: Capture, distance: Number, unit: int) -> Var:
    """The offset of a snapshot in its buffer: one variable for each that it may stand for."""
    key = (distance, unit, m.scope)
    known = capture.layouts.get(key)
    if known is None:
        known = Var("layout offset", None, None, m.scope)
        known.facts.append(t.equal(t.times(known.term(), unit), distance))
        capture.layouts[key] = known
        capture.layout_vars.append(known)
    return known
