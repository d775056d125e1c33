"""What accesses read and write, as far as it can be told to be the same.

A write is *idle* when it leaves every byte as it was. Idle writes can be left out of questions
about stale copies: if all copies of a byte hold its value before one, they do so after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Operation

from verify.ir.names import op_name
from verify.model.memory import Content, Place
from verify.semantics import term as t
from verify.semantics.term import Condition
from verify.semantics.values import Opaque, View, Views


@dataclass(frozen=True, slots=True)
class Copied:
    """What all elements of a value hold."""

    source: Views


def computed(op: Operation, operands: Sequence[Any]) -> Opaque:
    """The result of a function of its operands: equal keys mean equal values.

    An operand without a key makes a result that equals nothing but itself.
    """
    keys = tuple(_key_of(v) for v in operands)
    if None in keys:
        return Opaque(object())
    own = tuple(sorted((k, str(v)) for k, v in {**op.attributes, **op.properties}.items()))
    return Opaque((op_name(op), str(op.results[0].type), own, keys))


def content_of(value: Any, unit: int) -> Content | None:
    """`value` in each `unit` bytes, where values like it can be told to be equal."""
    key = _key_of(value)
    return None if key is None else Content(key, unit)


def _key_of(value: Any) -> object | None:
    """What identifies a value within one iteration of the loops that it was made in."""
    if isinstance(value, int | t.Lin) and not isinstance(value, bool):
        return value
    return value if isinstance(value, Opaque) and value.key is not None else None


def idle(source: Views, view: View, place: Place) -> Condition:
    """When a copy of `source` to `place`, which is in `view`, finds there what it writes."""
    cases: list[Condition] = []
    for condition, origin in source.choices:
        if origin.memory is not view.memory or view.memory.kind == "unknown":
            continue
        if (same := _is_same_place(origin, view, place)) is not None:
            cases.append(t.all_of([condition, same]))
    return t.any_of(cases)


def _is_same_place(origin: View, view: View, place: Place) -> Condition | None:
    """When an element of `origin` is the element of `view` at the same indices."""
    if origin.sizes is None or view.sizes is None:
        both = origin.sizes is None and view.sizes is None
        return t.equal(origin.offset, view.offset) if both else None
    if len(origin.sizes) != len(view.sizes) or origin.element != view.element:
        return None
    if not place.indices and view.sizes:
        counting = [d for d, size in enumerate(view.sizes) if size != 1]
        is_alike = all(origin.strides[d] == view.strides[d] for d in counting)
        return t.equal(origin.offset, view.offset) if is_alike else None
    address = origin.offset
    for index, stride in zip(place.indices, origin.strides, strict=True):
        if not isinstance(stride, int):
            return None
        address = address + t.times(index, stride)
    return t.equal(address, place.address)
