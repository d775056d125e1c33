"""Indices for the family `whole`: constants, counters and sums that stay in bounds."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from fuzz.strategies.whole_types import Dim, Index, Ref
from fuzz.strategies.whole_writer import Writer


def place_in(w: Writer, ref: Ref) -> list[Index]:
    """Indices of an element, one for each dimension."""
    return [index_below(w, ref, d) for d in range(len(ref.sizes))]


def index_below(w: Writer, ref: Ref, dimension: int) -> Index:
    """An index into one dimension of a memref."""
    size = ref.sizes[dimension]
    fits = [i for i in w.scope.indices if i.below is not None and _fits(i.below, size)]
    if fits and w.flip(60):
        return w.draw.choice(fits[-3:])
    if size is not None and w.flip(50):
        return constant_index(w, w.draw.randint(0, size - 1))
    if w.flip(40) or not w.scope.indices:
        return constant_index(w, 0)
    limit = size_of(w, ref, dimension) if size is None else w.constant(size)
    return wrapped(w, w.draw.choice(w.scope.indices).value, limit, size)


def constant_index(w: Writer, number: int) -> Index:
    """A constant as an index."""
    return Index(w.constant(number), number + 1, is_affine=True)


def wrapped(w: Writer, value: SSAValue, limit: SSAValue, size: Dim) -> Index:
    """A value modulo a limit."""
    if w.flip(30):
        value = w.op("arith.addi", [value, w.constant(1)], ["index"]).results[0]
    rest = w.op("arith.remui", [value, limit], ["index"]).results[0]
    index = Index(rest, size)
    if size is not None:
        w.scope.indices.append(index)
    return index


def size_of(w: Writer, ref: Ref, dimension: int) -> SSAValue:
    """The size of one dimension."""
    size = ref.sizes[dimension]
    if size is not None and w.flip(60):
        return w.constant(size)
    return w.op("memref.dim", [ref.value, w.constant(dimension)], ["index"]).results[0]


def values_of(indices: Sequence[Index]) -> list[SSAValue]:
    """Their values."""
    return [index.value for index in indices]


def _fits(below: int, size: Dim) -> bool:
    return below <= (1 if size is None else size)
