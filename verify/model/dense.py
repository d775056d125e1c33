"""The bytes of all elements of a view, as runs of bytes without holes at regular distances."""

from __future__ import annotations

from dataclasses import dataclass

from verify.semantics import term as t
from verify.semantics.term import Number
from verify.semantics.values import View


@dataclass(frozen=True, slots=True)
class Spread:
    """`run` bytes from `start` on, and again for each index of `dims`.

    `dims` are a size and a stride in bytes each, with positive strides, the largest first.
    """

    start: Number
    run: Number
    dims: tuple[tuple[Number, int], ...] = ()


def spread_of(view: View) -> Spread | None:
    """All elements of a view, where the strides that count are known."""
    if view.sizes is None or view.element is None:
        return None
    counting: list[tuple[Number, int]] = []
    for size, stride in zip(view.sizes, view.strides, strict=True):
        if size == 1:
            continue  # its stride never counts
        if not isinstance(stride, int) or stride == 0:
            return None
        counting.append((size, stride))
    start, run = view.offset, view.element.size
    dims: list[tuple[Number, int]] = []
    for size, stride in sorted(counting, key=lambda d: abs(d[1])):
        if stride < 0:
            start = start + t.times(size - 1, stride)
        if abs(stride) == run and not dims and isinstance(size, int):
            run *= size
        else:
            dims.append((size, abs(stride)))
    if len(dims) == 1 and dims[0][1] == run:
        return Spread(start, t.times(dims[0][0], run))
    return Spread(start, run, tuple(reversed(dims)))


def is_empty(view: View) -> bool:
    """Whether a view has no element for certain."""
    return any(isinstance(size, int) and size <= 0 for size in view.sizes or ())
