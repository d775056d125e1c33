"""Windows for the family `whole`: subviews with offsets, sizes and strides of every kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, SSAValue

from fuzz.strategies.whole_memory import any_memory
from fuzz.strategies.whole_ops import numbers, segments
from fuzz.strategies.whole_places import size_of
from fuzz.strategies.whole_types import Dim, Mem, Ref, plus, times
from fuzz.strategies.whole_writer import Writer

_DYNAMIC = -(1 << 63)
_STEPS = {1: 10, 2: 3, 3: 1, -1: 1, 0: 1}


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a view: in the op itself or a value, and what it really is where known."""

    static: Dim
    value: SSAValue | None = None
    real: Dim = None


@dataclass(frozen=True, slots=True)
class Window:
    """What is taken of one dimension."""

    offset: Number
    size: Number
    step: Number


def fixed(number: int) -> Number:
    """A number that stands in the op."""
    return Number(number, None, number)


def perhaps_open(w: Writer, number: int, percent: int = 15) -> Number:
    """A number that stands in the op, or is a constant value."""
    return Number(None, w.constant(number), number) if w.flip(percent) else fixed(number)


def subview(w: Writer) -> None:
    """A window of a memref, some of its unit dimensions dropped."""
    source = any_memory(w)
    windows = [draw_window(w, size, source, d) for d, size in enumerate(source.sizes)]
    subview_of(w, source, windows)


def subview_of(w: Writer, source: Ref, windows: Sequence[Window]) -> Ref:
    """The `memref.subview` of some windows."""
    kept = _kept(w, source.kind, windows)
    kind = _kind_of(source.kind, windows, kept)
    groups = [[getattr(x, part) for x in windows] for part in ("offset", "size", "step")]
    names = ("static_offsets", "static_sizes", "static_strides")
    attributes: dict[str, Attribute | str] = {
        name: static_numbers(group) for name, group in zip(names, groups, strict=True)
    }
    values = [open_values(group) for group in groups]
    attributes["operandSegmentSizes"] = segments(1, *map(len, values))
    operands = [source.value, *(v for group in values for v in group)]
    value = w.op("memref.subview", operands, [kind.type()], attributes).results[0]
    is_spread = source.is_spread and all(x.step.real for x in windows)
    sizes = tuple(windows[d].size.real for d in kept)
    return w.add(replace(source, value=value, kind=kind, sizes=sizes, is_spread=is_spread))


def _kept(w: Writer, source: Mem, windows: Sequence[Window]) -> list[int]:
    """The dimensions that are kept; of two that are alike, MLIR takes the first as dropped."""
    old = source.all_strides()
    kept: list[int] = []
    for d, window in enumerate(windows):
        stride = times(window.step.static, old[d])
        is_alike = any(times(windows[k].step.static, old[k]) == stride for k in kept)
        if window.size.static != 1 or is_alike or not w.flip(40):
            kept.append(d)
    return kept


def _kind_of(source: Mem, windows: Sequence[Window], kept: Sequence[int]) -> Mem:
    old, shift = source.all_strides(), source.offset
    for window, stride in zip(windows, old, strict=True):
        shift = plus(shift, times(window.offset.static, stride))
    strides = tuple(times(windows[d].step.static, old[d]) for d in kept)
    shape = tuple(windows[d].size.static for d in kept)
    return Mem(source.element, shape, strides, shift, source.space)


def draw_window(w: Writer, size: Dim, source: Ref, dimension: int) -> Window:
    """Offset, size and stride in one dimension; all of it lies inside."""
    if size is None:
        whole = Number(None, size_of(w, source, dimension))
        return Window(fixed(0), w.draw.choice([fixed(1), whole, whole]), fixed(1))
    step = w.weighted(_STEPS)
    offset = w.draw.randint(0, size - 1)
    if step == 1 and w.flip(25):
        moved = _moved(w, size)
        if moved is not None:
            return moved
    most = offset + 1 if step < 0 else (size - 1 - offset) // (step or size) + 1
    length = most if w.flip(50) else w.draw.randint(1, most)
    length = 0 if step > 0 and w.flip(2) else length
    parts = (perhaps_open(w, number) for number in (offset, length, step))
    return Window(*parts)


def _moved(w: Writer, size: int) -> Window | None:
    """A window at a place that an index of the scope says."""
    fits = [i for i in w.scope.indices if i.below is not None and i.below <= size]
    if not fits:
        return None
    index = w.draw.choice(fits[-3:])
    assert index.below is not None
    length = w.draw.randint(1, size - index.below + 1)
    return Window(Number(None, index.value), perhaps_open(w, length), fixed(1))


def lane(w: Writer, ref: Ref, index: SSAValue) -> Ref:
    """The window of one element, or line of elements, that an index picks."""
    first = Window(Number(None, index), fixed(1), fixed(1))
    others = [_all_of(w, ref, d) for d in range(1, len(ref.sizes))]
    return subview_of(w, ref, [first, *others])


def _all_of(w: Writer, ref: Ref, dimension: int) -> Window:
    size = ref.sizes[dimension]
    whole = fixed(size) if size is not None else Number(None, size_of(w, ref, dimension))
    # Where there is nothing, MLIR takes no offset for certain.
    offset = Number(None, w.constant(0), 0) if size == 0 else fixed(0)
    return Window(offset, whole, fixed(1))


def halves(w: Writer) -> None:
    """Two windows side by side, which do not overlap or do in one element."""
    source = w.pick(lambda r: len(r.sizes) == 1 and (r.sizes[0] or 0) >= 2 and r.kind.element != "")
    if source is None:
        return subview(w)
    size = source.sizes[0]
    assert size is not None
    cut = w.draw.randint(1, size - 1)
    more = 1 if w.flip(30) else 0
    subview_of(w, source, [Window(fixed(0), perhaps_open(w, cut), fixed(1))])
    second = (fixed(cut - more), perhaps_open(w, size - cut + more))
    subview_of(w, source, [Window(*second, fixed(1))])
    return None


def open_values(group: Sequence[Number]) -> list[SSAValue]:
    """The values of the numbers that do not stand in the op."""
    return [number.value for number in group if number.value is not None]


def static_numbers(group: Sequence[Number]) -> Attribute:
    """The numbers as the op writes them, MLIR's mark where a value says them."""
    return numbers([_DYNAMIC if n.static is None else n.static for n in group])


WINDOWS: dict[Callable[[Writer], None], int] = {subview: 8, halves: 3}
"""The productions, each with a weight."""
