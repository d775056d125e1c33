"""Concrete function arguments: buffers by type, scalars, and their names for a report."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from xdsl.dialects import builtin
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation

from verify.ir.names import op_name
from verify.replay.buffers import Buffer, decode
from verify.replay.inputs import fill
from verify.semantics.arith import scalar_bits
from verify.semantics.memref import dense_strides
from verify.semantics.rounding import as_float
from verify.semantics.types import (
    Element,
    Layout,
    UnsupportedError,
    element_of,
    is_memref,
    layout_of,
    space_of,
)
from verify.semantics.values import OPAQUE, View

if TYPE_CHECKING:
    from verify.replay.concrete import ConcreteMachine

RAW_BYTES = 256
MOST_SHOWN = 32
"""Elements of an integer buffer that a counterexample lists."""
SLACK = 64
"""Elements behind an argument: it may be a part of a larger allocation, which a wider view sees."""


def make_argument(m: ConcreteMachine, position: int, kind: Attribute, *, is_raw: bool) -> Any:
    """A value for the argument at `position`, as the inputs say."""
    if is_raw:
        buffer = _argument_buffer(m, position, RAW_BYTES, space_of(kind), m.raw_element)
        return View(buffer, buffer_start(m, position), None, (), None, buffer_start(m, position))
    if isinstance(kind, builtin.MemRefType):
        return _memref(m, position, layout_of(kind))
    if is_memref(kind):
        raise UnsupportedError("an unranked memref argument")
    bits = scalar_bits(kind)
    if bits == 1:
        return bool(m.inputs.scalar(position, 1))
    if bits is not None:
        return m.inputs.scalar(position, bits)
    try:
        element = element_of(kind)
    except UnsupportedError:
        return OPAQUE
    if element.kind != "float":
        return OPAQUE
    return as_float(m.inputs.float_scalar(position), element)


def raw_element(function: Operation) -> Element | None:
    """What the program finds behind its pointers first, so that they hold plain numbers."""
    for op in function.walk():
        name = op_name(op)
        if name not in ("llvm.load", "llvm.store"):
            continue
        kind = op.results[0].type if name == "llvm.load" else op.operands[0].type
        try:
            return element_of(kind)
        except UnsupportedError:
            continue
    return None


def buffer_start(m: ConcreteMachine, position: int) -> int:
    """Where an argument starts in the memory that it may share with others."""
    return m.inputs.addresses.get(position, 0) if m.inputs.is_overlapping else 0


def _memref(m: ConcreteMachine, position: int, layout: Layout) -> View:
    unit = layout.element.size
    shape = [m.inputs.size(position, d) if s is None else s for d, s in enumerate(layout.shape)]
    strides = _strides(m, position, layout, shape)
    offset = layout.offset
    if offset is None:
        offset = m.inputs.offset(position)
    low = sum(min(0, (n - 1) * s) for n, s in zip(shape, strides, strict=True)) if all(shape) else 0
    high = (
        sum(max(0, (n - 1) * s) for n, s in zip(shape, strides, strict=True)) if all(shape) else 0
    )
    base = buffer_start(m, position)
    start = base + offset * unit
    if start + low < 0:
        start -= start + low
        base = start - offset * unit
    extent = start + high + unit * (1 if m.inputs.is_overlapping else 1 + SLACK)
    buffer = _argument_buffer(m, position, extent, layout.space, layout.element)
    view = View(buffer, start, tuple(shape), tuple(strides), layout.element, base, layout.space)
    if layout.element.kind in ("int", "index") and 0 < math.prod(shape) <= MOST_SHOWN:
        kind = IntegerType(layout.element.bits)
        data = buffer.host()
        contents = (data[p : p + unit].tobytes() for p in m.places(view))
        m.initial[position] = [int(decode(content, kind)) for content in contents]
    return view


def _strides(m: ConcreteMachine, position: int, layout: Layout, shape: list[int]) -> list[int]:
    unit = layout.element.size
    dense = [s for s in dense_strides(m, shape, unit) if isinstance(s, int)]
    if layout.is_identity:
        return dense
    return [
        m.inputs.strides.get((position, d), dense[d] // unit) * unit if s is None else s * unit
        for d, s in enumerate(layout.strides)
    ]


def _argument_buffer(
    m: ConcreteMachine, position: int, size: int, space: str, element: Element | None = None
) -> Buffer:
    if m.inputs.is_overlapping:
        shared = m.globals.get("shared arguments")
        if shared is None:
            shared = m.new_buffer(0, "arguments", space)
            m.globals["shared arguments"] = shared
        _grow(m, shared, size, element, position)
        return shared
    buffer = m.new_buffer(size, f"argument {position}", space)
    kind = element or Element("i8", "int", 8)

    def draw(contents: Any) -> None:
        fill(contents, kind, m.inputs.generator(("buffer", position)))
        preset(m, contents, buffer.name, element)

    m.fill(buffer, kind, buffer.name, draw)
    return buffer


def _grow(
    m: ConcreteMachine, buffer: Buffer, size: int, element: Element | None, position: int
) -> None:
    import numpy as np

    old = len(buffer.data)
    if size <= old:
        return
    if size > 1 << 24:
        raise UnsupportedError("arguments that are far apart")
    more = np.zeros(size - old, np.uint8)
    kind = element or Element("i8", "int", 8)
    draw = partial(fill, more, kind, m.inputs.generator(("buffer", position)))
    m.inputs.settle(f"argument {position} from byte {old}", more, kind, draw)
    buffer.assign(np.concatenate([buffer.host(), more]))


def preset(m: ConcreteMachine, contents: Any, name: str, element: Element | None) -> None:
    """Let integer buffers hold, in places, the numbers that a solution wants loaded."""
    import numpy as np

    wanted = list(m.inputs.loads.values())
    if element is None or element.kind not in ("int", "index") or not wanted or element.bits == 1:
        return
    draw = m.inputs.generator(("preset", name))
    mask = (1 << (8 * element.size)) - 1
    for i in range(len(contents) // element.size):
        if draw.random() < 0.7:
            raw = (draw.choice(wanted) & mask).to_bytes(element.size, "little")
            contents[i * element.size : (i + 1) * element.size] = np.frombuffer(raw, np.uint8)
