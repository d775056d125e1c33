"""What a value is in C: variables by type, and how one takes over another's value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from xdsl.dialects import builtin
from xdsl.ir import Attribute

from verify.replay.cuda.expressions import condition, exact, low_word, width_of
from verify.replay.cuda.writer import Writer
from verify.semantics import term as t
from verify.semantics.algebra import bit_range
from verify.semantics.arith import scalar_bits
from verify.semantics.floats import is_scalar_float
from verify.semantics.term import BoolVar, Number, Truth, Var
from verify.semantics.types import (
    Element,
    UnsupportedError,
    element_of,
    is_memref,
    is_token,
    layout_of,
    space_of,
)
from verify.semantics.values import OPAQUE, View

Pair: TypeAlias = "tuple[str, str, str]"
"""A C type, a variable and the value that it gets."""
MOST = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Real:
    """A float in C: a name or a literal. An `f16` or `bf16` is a `float` that holds it."""

    text: str
    element: Element


@dataclass(eq=False, slots=True)
class Pointer:
    """A pointer in C; `owners` are the loops in which local memory that it may be was made."""

    text: str
    owners: set[tuple[int, ...]] = field(default_factory=set)


def float_type(element: Element) -> str:
    """The C type that computes a float."""
    if element.name not in ("f16", "bf16", "f32", "f64"):
        raise UnsupportedError(f"a value of type {element.name} in a kernel")
    return "double" if element.name == "f64" else "float"


def integer_bits(kind: Attribute) -> int | None:
    """The width of an integer type, of which the widest has 64 bits."""
    bits = scalar_bits(kind)
    if bits is not None and bits > 64:
        raise UnsupportedError(f"an integer of {bits} bits in a kernel")
    return bits


def variable(writer: Writer, hint: str | None, low: int, high: int) -> Number:
    """A number with a name."""
    var = Var("", low, high)
    var.name = writer.declare(hint, f"i{width_of(var.term())}")
    return var.term()


def truth_variable(writer: Writer, hint: str | None) -> Truth:
    """A truth value with a name."""
    return Truth(BoolVar(writer.declare(hint, "bool")))


def fresh(writer: Writer, kind: Attribute, hint: str | None = None) -> Any:
    """Variables for any value of a type."""
    bits = integer_bits(kind)
    if bits == 1:
        return truth_variable(writer, hint)
    if bits is not None:
        return variable(writer, hint, *bit_range(bits))
    if is_scalar_float(kind):
        element = element_of(kind)
        return Real(writer.declare(hint, float_type(element)), element)
    if is_memref(kind):
        return _fresh_view(writer, kind, hint)
    if is_token(kind):
        return OPAQUE
    raise UnsupportedError(f"a value of type `{kind}` in a kernel")


def _fresh_view(writer: Writer, kind: Attribute, hint: str | None) -> View:
    pointer = Pointer(writer.declare(hint, "byte *"))

    def number(part: str, low: int = -MOST - 1) -> Number:
        return variable(writer, f"{hint or 'v'}_{part}", low, MOST)

    offset, base = number("offset"), number("base")
    if not isinstance(kind, builtin.MemRefType):
        return View(pointer, offset, None, (), None, base, space_of(kind))
    layout = layout_of(kind)
    sizes = tuple(number(f"size{d}", 0) if s is None else s for d, s in enumerate(layout.shape))
    unit = layout.element.size
    strides = tuple(
        number(f"stride{d}") if s is None else s * unit for d, s in enumerate(layout.strides)
    )
    return View(pointer, offset, sizes, strides, layout.element, base, layout.space)


def take_over(place: Any, value: Any) -> list[Pair]:
    """What to assign so that the variables of `place` hold `value`."""
    if place is value or (isinstance(place, t.Lin) and place == value):
        return []
    match place, value:
        case Truth(var), bool() | t.Cond():
            return [("bool", var.name, condition(value))]
        case Real(text, element), Real(other, _):
            return [] if text == other else [(float_type(element), text, other)]
        case View(), View():
            return _take_over_view(place, value)
        case (t.Lin(), int() | t.Lin()):
            width = width_of(place)
            text = low_word(value) if width == 64 else exact(value, width)
            return [(f"i{width}", exact(place), text)]
        case _:
            if place is OPAQUE or (isinstance(place, int) and isinstance(value, int | t.Lin)):
                return []
            raise UnsupportedError("a value that has no form in C")


def _take_over_view(place: View, value: View) -> list[Pair]:
    if (place.sizes is None) != (value.sizes is None):
        raise UnsupportedError("a ranked and an unranked memref in one variable")
    to, pointer = place.memory, value.memory
    to.owners |= pointer.owners
    pairs: list[Pair] = [] if to is pointer else [("byte *", to.text, pointer.text)]
    for a, b in zip(_numbers(place), _numbers(value), strict=True):
        if a != b:
            pairs.extend(take_over(a, b))
    return pairs


def _numbers(view: View) -> Sequence[Number]:
    return (view.offset, view.base, *(view.sizes or ()), *view.strides)


def joined(writer: Writer, values: Sequence[Any], kind: Attribute, hint: str | None) -> Any:
    """A place for one of several values; what they have in common stays as it is."""
    first, *others = values
    if all(other is first for other in others):
        return first
    if isinstance(first, int | t.Lin) and not isinstance(first, bool):
        return _joined_number(writer, values, hint)
    if isinstance(first, View):
        return _joined_view(writer, values, kind, hint)
    if isinstance(first, Real) and all(other == first for other in others):
        return first
    return fresh(writer, kind, hint)


def _joined_number(writer: Writer, values: Sequence[Number], hint: str | None) -> Number:
    if all(value == values[0] for value in values):
        return values[0]
    ends = [end for value in values for end in t.interval(value)]
    known = [end for end in ends if end is not None]
    return variable(writer, hint, min(known), max(known))


def _joined_view(writer: Writer, views: Sequence[View], kind: Attribute, hint: str | None) -> View:
    first = views[0]
    if any((v.sizes is None) != (first.sizes is None) for v in views):
        raise UnsupportedError("a ranked and an unranked memref in one variable")
    memory = first.memory
    if any(v.memory is not memory for v in views):
        memory = Pointer(writer.declare(hint, "byte *"))
    columns = zip(*(_numbers(v) for v in views), strict=True)
    offset, base, *rest = (_joined_number(writer, column, hint) for column in columns)
    rank = len(first.strides)
    return replace(
        first,
        memory=memory,
        offset=offset,
        base=base,
        sizes=None if first.sizes is None else tuple(rest[:rank]),
        strides=tuple(rest[len(rest) - rank :]),
        space=space_of(kind),
    )
