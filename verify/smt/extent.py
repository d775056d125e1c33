"""The bytes that a snapshot holds: what the captured value spans, holes left out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import z3

from verify.model.memory import Access, Capture
from verify.semantics import term as t
from verify.semantics.term import Number
from verify.semantics.values import View
from verify.smt.encode import Encoder, Expr

MOST_ELEMENTS = 64


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes from `low` up to `high`, without a hole."""

    low: Number
    high: Number

    def surely_holds(self, access: Access) -> bool:
        """Whether bounds alone keep the access inside."""
        end = access.address + access.size
        return t.at_most(self.low, access.address) is True and t.at_most(end, self.high) is True

    def misses(self, encoder: Encoder, access: Access) -> Expr:
        """The access has a byte outside."""
        address = encoder.number(access.address, {})
        low, high = encoder.number(self.low, {}), encoder.number(self.high, {})
        return z3.Or(address < low, address + access.size > high)


@dataclass(frozen=True, slots=True)
class Comb:
    """`count` elements of `unit` bytes, `stride` bytes apart."""

    low: Number
    count: Number
    stride: int
    unit: int

    def surely_holds(self, access: Access) -> bool:
        """Bounds alone do not tell."""
        return (
            access.address == self.low
            and access.size <= self.unit
            and (t.less(0, self.count) is True)
        )

    def misses(self, encoder: Encoder, access: Access) -> Expr:
        """The access is not inside one element."""
        if access.size > self.unit:
            return z3.BoolVal(True)  # noqa: FBT003 - Z3's own constant
        distance = encoder.number(access.address - self.low, {})
        place, rest = distance / self.stride, distance % self.stride
        count = encoder.number(self.count, {})
        return z3.Or(distance < 0, place >= count, rest + access.size > self.unit)


@dataclass(frozen=True, slots=True)
class Elements:
    """Single elements of `unit` bytes, at these distances from `low`."""

    low: Number
    places: tuple[int, ...]
    unit: int

    def surely_holds(self, access: Access) -> bool:
        """Whether the access is one of the elements for certain."""
        distance = access.address - self.low
        return isinstance(distance, int) and self._holds(distance, access.size)

    def _holds(self, distance: int, size: int) -> bool:
        return any(p <= distance and distance + size <= p + self.unit for p in self.places)

    def misses(self, encoder: Encoder, access: Access) -> Expr:
        """The access is inside none of the elements."""
        distance = encoder.number(access.address - self.low, {})
        return z3.And(
            [z3.Or(distance < p, distance + access.size > p + self.unit) for p in self.places]
        )


def extent_of_capture(view: View, capture: Capture) -> Stretch | Comb | Elements | None:
    """What a snapshot of `view` holds; `None` where that is not known."""
    total = capture.extent if capture.extent is not None else capture.totals.get(view.memory.id)
    if total is not None:
        return Stretch(view.offset, view.offset + total)
    if view.sizes is None or view.element is None:
        return None
    unit = view.element.size
    if len(view.sizes) == 1 and isinstance(view.strides[0], int) and view.strides[0] >= unit:
        return Comb(view.offset, view.sizes[0], view.strides[0], unit)
    return _elements(view, unit)


def _elements(view: View, unit: int) -> Elements | None:
    sizes, strides = view.sizes or (), view.strides
    if not all(isinstance(n, int) for n in (*sizes, *strides)):
        return None
    count = 1
    for size in sizes:
        count *= t.whole(size)
    if count > MOST_ELEMENTS:
        return None
    ranges = [range(t.whole(size)) for size in sizes]
    places = (
        sum(i * t.whole(s) for i, s in zip(indices, strides, strict=True))
        for indices in product(*ranges)
    )
    return Elements(view.offset, tuple(sorted(set(places))), unit)
