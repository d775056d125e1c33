"""Views without holes, whose bytes can be spoken of as one stretch."""

from __future__ import annotations

from verify.semantics import term as t
from verify.semantics.term import Number
from verify.semantics.values import View


def dense_span(view: View) -> tuple[Number, Number] | None:
    """First and end byte of a view without holes, also where its outermost size is not known."""
    if view.sizes is None or view.element is None or not view.sizes:
        return None
    extent = view.element.size
    for size, stride in zip(reversed(view.sizes[1:]), reversed(view.strides[1:]), strict=True):
        if not isinstance(size, int) or (size != 1 and stride != extent):
            return None
        extent *= size
    if view.strides[0] != extent:
        return None
    return view.offset, view.offset + t.times(view.sizes[0], extent)


def dense_bytes(view: View) -> int | None:
    """How many bytes a view spans from its offset on without holes, where that is known."""
    if view.sizes is None or view.element is None:
        return None
    extent = view.element.size
    for size, stride in zip(reversed(view.sizes), reversed(view.strides), strict=True):
        if not isinstance(size, int):
            return None
        if size <= 0:
            return 0
        if size != 1 and stride != extent:
            return None
        extent *= size
    return extent
