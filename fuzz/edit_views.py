"""Edits of memrefs: other windows, detours over views and casts, other memory spaces."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, StridedLayoutAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from fuzz.edit_places import is_statement, memrefs_of, put_before, values_before
from fuzz.strategies.whole_ops import numbers, segments
from fuzz.strategies.whole_types import Dim, Mem, plus, times
from verify.ir.names import int_array, op_name, set_attr

_OPEN = -(1 << 63)
# Ops that take a memref of any layout.
_TAKES_ANY = (
    "memref.load", "memref.store", "affine.load", "affine.store", "memref.dim",
    "linalg.fill", "memref.atomic_rmw", "gpu.memset", "memref.rank",
)  # fmt: skip
_WINDOWS = ("static_offsets", "static_sizes", "static_strides")


def mem_of(kind: Attribute) -> Mem | None:
    """A memref type as the strategies have it; nothing for layouts that are maps."""
    if not isinstance(kind, MemRefType):
        return None
    try:
        found, offset = kind.get_strides(), kind.get_offset()
    except (ValueError, NotImplementedError):
        return None
    if found is None:
        return None
    sizes = tuple(None if d < 0 else d for d in kind.get_shape())
    has_layout = isinstance(kind.layout, StridedLayoutAttr)
    space = "" if str(kind.memory_space) == "none" else str(kind.memory_space)
    strides = tuple(found) if has_layout else None
    return Mem(str(kind.element_type), sizes, strides, offset if has_layout else 0, space)


def other_window(draw: random.Random, ops: list[Operation]) -> None:
    """Another offset, size or stride of a subview whose users take any layout."""
    views = [o for o in ops if op_name(o) == "memref.subview" and _is_free(o.results[0])]
    if not views:
        return
    op = draw.choice(views)
    window = _window_of(op)
    if window is None:
        return
    changed = window.changed(draw)
    for name, group in zip(_WINDOWS, changed.groups, strict=True):
        set_attr(op, name, numbers(group))
    Rewriter.replace_value_with_new_type(op.results[0], changed.kind().type())


@dataclass(frozen=True, slots=True)
class _Window:
    """A subview that drops no dimension: its source, and its offsets, sizes and strides."""

    source: Mem
    groups: tuple[tuple[int, ...], ...]

    def changed(self, draw: random.Random) -> _Window:
        """One number more or less where that is known to stay inside, else as it is."""
        which, place = draw.randrange(3), draw.randrange(len(self.groups[0]))
        group = [*self.groups[which]]
        if group[place] == _OPEN:
            return self
        group[place] += draw.choice([-1, 1])
        groups = (*self.groups[:which], tuple(group), *self.groups[which + 1 :])
        other = _Window(self.source, groups)
        return other if other.is_inside(place) else self

    def is_inside(self, place: int) -> bool:
        """Whether a dimension stays in its source for certain."""
        offset, size, stride = (group[place] for group in self.groups)
        most = self.source.shape[place]
        if most is None or _OPEN in (offset, size, stride):
            return False
        last = offset + (size - 1) * stride
        return size >= 1 and 0 <= offset < most and 0 <= last < most

    def kind(self) -> Mem:
        """The type that MLIR infers."""
        offsets, sizes, steps = ([_dim(n) for n in group] for group in self.groups)
        old, shift = self.source.all_strides(), self.source.offset
        for offset, stride in zip(offsets, old, strict=True):
            shift = plus(shift, times(offset, stride))
        strides = tuple(times(a, b) for a, b in zip(steps, old, strict=True))
        return Mem(self.source.element, tuple(sizes), strides, shift, self.source.space)


def _dim(number: int) -> Dim:
    return None if number == _OPEN else number


def _window_of(op: Operation) -> _Window | None:
    source, result = mem_of(op.operands[0].type), mem_of(op.results[0].type)
    groups = tuple(int_array(op, name) or () for name in _WINDOWS)
    if source is None or result is None or len(source.shape) != len(result.shape):
        return None
    return _Window(source, groups) if source.shape else None


def _is_free(value: SSAValue) -> bool:
    """Whether all users take a memref of any layout."""
    return all(op_name(use.operation) in _TAKES_ANY for use in value.uses)


def _some_memref(draw: random.Random, ops: Sequence[Operation]) -> tuple[Operation, int] | None:
    """An op among statements and the place of a memref operand."""
    fits = [o for o in ops if is_statement(o) and memrefs_of(o)]
    if not fits:
        return None
    op = draw.choice(fits)
    return op, draw.choice(memrefs_of(op))


def through_subview(draw: random.Random, ops: list[Operation]) -> None:
    """An operand by way of a fresh window of all of it."""
    found = _some_memref(draw, ops)
    kind = mem_of(found[0].operands[found[1]].type) if found else None
    if found is None or kind is None or not kind.is_static or 0 in kind.shape:
        return
    op, place = found
    rank = len(kind.shape)
    middle = Mem(kind.element, kind.shape, kind.all_strides(), kind.offset, kind.space)
    attributes = {
        "static_offsets": numbers([0] * rank),
        "static_sizes": numbers([size or 0 for size in kind.shape]),
        "static_strides": numbers([1] * rank),
        "operandSegmentSizes": segments(1, 0, 0, 0),
    }
    window = put_before(op, "memref.subview", [op.operands[place]], [middle.type()], attributes)
    back = put_before(op, "memref.cast", window.results, [op.operands[place].type])
    op.operands[place] = back.results[0]


def through_cast(draw: random.Random, ops: list[Operation]) -> None:
    """An operand by way of a type that leaves all open, or one without a rank."""
    found = _some_memref(draw, ops)
    kind = mem_of(found[0].operands[found[1]].type) if found else None
    if found is None or kind is None:
        return
    op, place = found
    all_open: tuple[Dim, ...] = (None,) * len(kind.shape)
    loose = Mem(kind.element, all_open, all_open, None, kind.space).text()
    space = f", {kind.space}" if kind.space else ""
    middle = draw.choice([loose, loose, f"memref<*x{kind.element}{space}>"])
    there = put_before(op, "memref.cast", [op.operands[place]], [middle])
    back = put_before(op, "memref.cast", there.results, [op.operands[place].type])
    op.operands[place] = back.results[0]


def chosen(draw: random.Random, ops: list[Operation]) -> None:
    """An operand by way of a choice between it and another memref of its type."""
    found = _some_memref(draw, ops)
    if found is None:
        return
    op, place = found
    value = op.operands[place]
    before = values_before(op)
    other = draw.choice([v for v in before if v.type == value.type] or [value])
    flags = [v for v in before if str(v.type) == "i1"]
    if flags and draw.random() < 0.5:
        flag = draw.choice(flags)
    else:
        word = draw.choice(["true", "false"])
        flag = put_before(op, "arith.constant", (), ["i1"], {"value": word}).results[0]
    pair = [value, other] if draw.random() < 0.5 else [other, value]
    op.operands[place] = put_before(op, "arith.select", [flag, *pair], [value.type]).results[0]


def other_space(draw: random.Random, ops: list[Operation]) -> None:
    """A buffer in another memory space, cast back for those that use it."""
    makers = ("memref.alloc", "memref.alloca", "gpu.alloc")
    buffers = [o for o in ops if op_name(o) in makers and o.next_op is not None]
    op = draw.choice(buffers) if buffers else None
    kind = mem_of(op.results[0].type) if op is not None else None
    if op is None or kind is None or op.next_op is None:
        return
    old = op.results[0].type
    space = "" if kind.space else draw.choice(["1", "3", "#gpu.address_space<global>"])
    other = Mem(kind.element, kind.shape, kind.strides, kind.offset, space).type()
    value = Rewriter.replace_value_with_new_type(op.results[0], other)
    back = put_before(op.next_op, "memref.memory_space_cast", [value], [old])
    for use in [u for u in value.uses if u.operation is not back]:
        if not op_name(use.operation).endswith(".dealloc"):
            use.operation.operands[use.index] = back.results[0]
