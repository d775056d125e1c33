"""The bytes that a snapshot holds: what the captured value spans, holes left out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import z3

from verify.model.dense import Spread, spread_of
from verify.model.memory import Access, Capture
from verify.semantics import term as t
from verify.semantics.term import Number
from verify.semantics.values import View
from verify.smt.cover import covers
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
class Runs:
    """The runs of bytes of a view with holes."""

    spread: Spread

    def surely_holds(self, access: Access) -> bool:
        """Bounds alone tell it of the first run only."""
        run = self.spread.run
        is_first = access.address == self.spread.start and t.at_most(access.size, run) is True
        return is_first and all(t.less(0, size) is True for size, _ in self.spread.dims)

    def misses(self, encoder: Encoder, access: Access) -> Expr:
        """The access is not inside one run."""
        return z3.Not(covers(encoder, self.spread, {}, access, {}))


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


def extent_of_capture(view: View, capture: Capture) -> Stretch | Runs | Elements | None:
    """What a snapshot of `view` holds; `None` where that is not known."""
    total = capture.extent if capture.extent is not None else capture.totals.get(view.memory.id)
    if total is not None:
        return Stretch(view.offset, view.offset + total)
    if view.sizes is None or view.element is None:
        return None
    spread = spread_of(view)
    if spread is not None:
        return Runs(spread)
    return _elements(view, view.element.size) or _first(view, view.element.size)


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


def _first(view: View, unit: int) -> Runs | None:
    """The first element only, where nothing is known of how far the others are."""
    sizes = view.sizes or ()
    if not all(t.less(0, size) is True for size in sizes):
        return None
    return Runs(Spread(view.offset, unit))
