"""Values that are not numbers: views of memory, and what stays unknown.

A `View` is a memref or pointer value that lies in one memory for certain; the symbolic machine
keeps several under conditions, as `Views`. Offsets and strides are in bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from verify.semantics.term import Condition, Number
from verify.semantics.types import Element


@dataclass(frozen=True, slots=True)
class View:
    """Where a memref lies: element `i` is at `offset + sum(i * strides)` of `memory`.

    `sizes` is `None` for pointers and unranked memrefs. `base` is where the descriptor's base
    pointer points, from which `memref.reinterpret_cast` counts. `via` maps loops to the capture
    through which they reach the memory. `is_contained` tells that every element of this view is
    one of the capture's own elements, by the rules of the ops that made it. `objects` marks
    results of `memref.distinct_objects`: a group and a number in it.
    """

    memory: Any
    offset: Number
    sizes: tuple[Number, ...] | None
    strides: tuple[Number, ...]
    element: Element | None
    base: Number
    space: str = ""
    via: tuple[tuple[int, Any], ...] = ()
    is_contained: bool = True
    assumed: tuple[Condition, ...] = ()
    objects: tuple[tuple[int, int], ...] = ()

    def capture_in(self, loop: int) -> Any:
        """The capture through which `loop` reaches this view, or `None`."""
        for known, capture in reversed(self.via):
            if known == loop:
                return capture
        return None

    def through(self, loop: int, capture: Any) -> View:
        """This view as the body of `loop` sees it."""
        return replace(self, via=(*self.via, (loop, capture)), is_contained=True)


@dataclass(frozen=True, slots=True)
class Views:
    """A view value of the symbolic machine: one of several, each under its condition."""

    choices: tuple[tuple[Condition, View], ...]

    def map(self, change: Callable[[View], View]) -> Views:
        """The same choices with each view changed."""
        return Views(tuple((c, change(v)) for c, v in self.choices))


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that the symbolic machine does not follow (a float, a vector, a token).

    Two with equal keys are equal where what the keys were made from is; `None` equals nothing.
    """

    key: object = None

    def __repr__(self) -> str:
        return "opaque"


OPAQUE = Opaque()
