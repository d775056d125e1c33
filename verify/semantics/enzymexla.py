"""Enzyme-JAX's `enzymexla` dialect, as far as memory is concerned.

Source: the dialect's op definitions. Its ops arrive unregistered, in generic form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation

from verify.semantics import term as t
from verify.semantics.llvm import bytes_of
from verify.semantics.machine import Machine, Value, rule
from verify.semantics.memref import dense_strides, located
from verify.semantics.term import Number
from verify.semantics.types import layout_of
from verify.semantics.values import View


@rule("enzymexla.polygeist_yield", "enzymexla.noop")
def nothing(_: Machine, __: Operation) -> Sequence[Value]:
    return []


@rule("enzymexla.barrier")
def barrier(m: Machine, op: Operation) -> Sequence[Value]:
    m.barrier(op)
    return []


@rule("enzymexla.pointer2memref")
def pointer2memref(m: Machine, op: Operation) -> Sequence[Value]:
    layout = layout_of(op.results[0].type)
    unit = layout.element.size

    def change(view: View) -> View:
        shape: list[Number] = []
        inner: Number = unit
        for size in reversed(layout.shape):
            count = m.open_size(op, view, unit) if size is None else size
            shape.insert(0, count)
            inner = m.algebra.multiply(inner, count)
        return replace(
            view,
            sizes=tuple(shape),
            strides=tuple(dense_strides(m, shape, unit)),
            element=layout.element,
            base=view.offset,
            space=layout.space,
            is_contained=False,
        )

    return [m.map_view(m.value(op.operands[0]), change)]


@rule("enzymexla.memref2pointer")
def memref2pointer(m: Machine, op: Operation) -> Sequence[Value]:
    from verify.semantics.types import space_of

    space = space_of(op.results[0].type)
    return [
        m.map_view(
            m.value(op.operands[0]),
            lambda v: replace(
                v,
                sizes=None,
                strides=(),
                element=None,
                base=v.offset,
                space=space,
                is_contained=False,
            ),
        )
    ]


@rule("enzymexla.subindex")
def subindex(m: Machine, op: Operation) -> Sequence[Value]:
    source, index = op.operands
    shift = m.number(index)
    layout = layout_of(op.results[0].type)

    def change(view: View) -> View:
        sizes, strides = located(view)
        start = view.offset + m.algebra.multiply(shift, strides[0])
        inside = [t.at_most(0, shift), t.at_most(shift, sizes[0])]
        kept = len(layout.shape)
        rest = sizes[0] - shift if layout.shape[0:1] == (None,) else None
        new_sizes = sizes[1:] if kept < len(sizes) else (_first(rest, layout.shape), *sizes[1:])
        return replace(
            view,
            offset=start,
            sizes=tuple(new_sizes),
            strides=strides[len(sizes) - kept :],
            base=start,
            assumed=(*view.assumed, *(c for c in inside if c is not True)),
        )

    return [m.map_view(m.value(source), change)]


def _first(rest: Number | None, shape: tuple[int | None, ...]) -> Number:
    if rest is not None:
        return rest
    return shape[0] if shape and shape[0] is not None else 0


@rule("enzymexla.gpu_wrapper", "enzymexla.gpu_error")
def wrapper(m: Machine, op: Operation) -> Sequence[Value]:
    m.run_region(op.regions[0], [])
    return [m.arbitrary(op, r.type, 0) for r in op.results]


@rule("enzymexla.gpu_block", "enzymexla.gpu_thread")
def block(m: Machine, op: Operation) -> Sequence[Value]:
    region = op.regions[0]
    m.run_region(region, [m.number(v) for v in op.operands] if region.blocks[0].args else [])
    return []


@rule("enzymexla.stream2token", "enzymexla.get_stream", "enzymexla.gpu_occupancy")
def handle(m: Machine, op: Operation) -> Sequence[Value]:
    return [m.unknown(op, r.type) for r in op.results]


@rule("enzymexla.memcpy")
def memcpy(m: Machine, op: Operation) -> Sequence[Value]:
    target, source, size = op.operands[-3:]
    count = m.number(size)
    contents = m.read_all(op, bytes_of(m, m.value(source), count))
    m.write_all(op, bytes_of(m, m.value(target), count), contents, target.type)
    return [m.unknown(op, r.type) for r in op.results]
