"""Memory accesses in C: one element by its type, whole views by loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute

from verify.replay.cuda.expressions import condition, exact, low_word
from verify.replay.cuda.places import Real, float_type, integer_bits
from verify.semantics import term as t
from verify.semantics.arith import scalar_bits
from verify.semantics.floats import is_scalar_float
from verify.semantics.memref import byte_offset
from verify.semantics.term import BoolVar, Number, Truth
from verify.semantics.types import UnsupportedError, element_of
from verify.semantics.values import View

if TYPE_CHECKING:
    from verify.replay.cuda.machine import CudaMachine

HELD_BYTES = 1024
"""A copy of as many bytes at most passes through memory of its own."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The elements of a view at one point of the kernel, to be written right after."""

    view: View


def address(view: View, offset: Number) -> str:
    """A pointer to a byte of a view's memory."""
    if offset == 0:
        return view.memory.text
    return f"{view.memory.text} + {low_word(offset)}"


def raw_type(kind: Attribute) -> str:
    """The C type of the bytes of an element; what a kernel does not compute with is refused."""
    if integer_bits(kind) is None and not is_scalar_float(kind):
        raise UnsupportedError(f"a value of type `{kind}` in the memory of a kernel")
    if is_scalar_float(kind):
        float_type(element_of(kind))
    return {1: "byte", 2: "u16", 4: "u32", 8: "u64"}[element_of(kind).size]


def loaded(m: CudaMachine, place: str, kind: Attribute, hint: str | None) -> Any:
    """The value of type `kind` at an address."""
    return _decoded(m, f"load<{raw_type(kind)}>({place})", kind, hint)


def _decoded(m: CudaMachine, raw: str, kind: Attribute, hint: str | None) -> Any:
    """The value of type `kind` with the bytes that an unsigned expression gives."""
    bits = integer_bits(kind)
    if bits == 1:
        truth = Truth(BoolVar(m.writer.declare(hint, "bool")))
        m.writer.put(f"{truth.var.name} = {raw} & 1;")
        return truth
    if bits is not None:
        return m.number_of(f"wrapped<{bits}>({raw})", bits, hint)
    element = element_of(kind)
    name = m.writer.declare(hint, float_type(element))
    wide = f"bits_as<{float_type(element)}>({raw})"
    m.writer.put(f"{name} = {f'from_{element.name}({raw})' if element.bits == 16 else wide};")
    return Real(name, element)


def stored(m: CudaMachine, place: str, value: Any, kind: Attribute) -> None:
    """Put a value of type `kind` at an address."""
    m.writer.put(f"store<{raw_type(kind)}>({place}, {_encoded(m, value, kind)});")


def _encoded(m: CudaMachine, value: Any, kind: Attribute) -> str:
    """The bytes of a value of type `kind`, as an expression."""
    raw, bits = raw_type(kind), integer_bits(kind)
    if bits == 1:
        return f"{condition(m.as_truth(value))} ? 1 : 0"
    if bits is not None:
        return f"({raw}){exact(m.as_number(value))}"
    if not isinstance(value, Real):
        raise UnsupportedError(f"a value of type `{kind}` in the memory of a kernel")
    narrow = f"to_{value.element.name}({value.text})"
    return narrow if value.element.bits == 16 else f"bits_as<{raw}>({value.text})"


def updated(m: CudaMachine, place: str, kind: Attribute, change: Callable[[Any], Any]) -> Any:
    """Change an element in one step: try until no other thread came in between; the old value."""
    raw = raw_type(kind)
    at, seen, wanted, found = (
        m.writer.declare(hint, c)
        for hint, c in (("at", "byte *"), ("seen", raw), ("wanted", raw), ("found", raw))
    )
    m.writer.put(f"{at} = {place};")
    m.writer.put(f"{seen} = load<{raw}>({at});")
    with m.in_loop(), m.writer.block() as lines:
        old = _decoded(m, seen, kind, "old")
        m.writer.put(f"{wanted} = {_encoded(m, change(old), kind)};")
        m.writer.put(f"{found} = swapped<{raw}>({at}, {seen}, {wanted});")
        m.writer.put(f"if ({found} == {seen}) break;")
        m.writer.put(f"{seen} = {found};")
    m.writer.nested("for (;;)", lines)
    return old


def each_element(
    m: CudaMachine, sizes: Sequence[Number], body: Callable[[list[Number]], None]
) -> None:
    """Loops over all indices, in row-major order."""
    _each(m, list(sizes), [], body)


def _each(
    m: CudaMachine, sizes: list[Number], at: list[Number], body: Callable[[list[Number]], None]
) -> None:
    if not sizes:
        body(at)
        return
    index = m.named("k", 0, (1 << 63) - 1)
    name = exact(index)
    with m.writer.block() as lines:
        _each(m, sizes[1:], [*at, index], body)
    m.writer.nested(f"for ({name} = 0; {name} < {exact(sizes[0])}; {name}++)", lines)


def copied(m: CudaMachine, target: View, source: View) -> None:
    """Copy all elements as if they were read before the first is written."""
    if source.element is None or source.sizes is None or target.sizes is None:
        raise UnsupportedError("a copy of an unranked memref in a kernel")
    unit = source.element.size
    total = math.prod(s for s in source.sizes if isinstance(s, int)) * unit
    if all(isinstance(s, int) for s in source.sizes) and total <= HELD_BYTES:
        holder = m.local_bytes("held", max(total, 1), is_shared=False)
        _through(m, holder, source, unit, is_read=True)
        _through(m, holder, target, unit, is_read=False)
        return
    m.writer.put(f"if ({_may_overlap(m, target, source)}) __trap();")

    def one(at: list[Number]) -> None:
        to, origin = (address(v, byte_offset(m, v, at)) for v in (target, source))
        m.writer.put(f"copy_bytes<{unit}>({to}, {origin});")

    each_element(m, source.sizes, one)


def _through(m: CudaMachine, holder: str, view: View, unit: int, *, is_read: bool) -> None:
    sizes = view.sizes or ()

    def one(at: list[Number]) -> None:
        number: Number = 0
        for index, size in zip(at, sizes, strict=True):
            number = m.algebra.multiply(number, size) + index
        held = f"{holder} + {exact(t.times(number, unit))}"
        place = address(view, byte_offset(m, view, at))
        pair = (held, place) if is_read else (place, held)
        m.writer.put(f"copy_bytes<{unit}>({', '.join(pair)});")

    each_element(m, sizes, one)


def _may_overlap(m: CudaMachine, target: View, source: View) -> str:
    """Whether the bytes between the first and the last of each view meet."""
    (low, high), (first, last) = (_hull(m, v) for v in (target, source))
    sizes = [exact(s) for s in source.sizes or () if not isinstance(s, int)]
    some = "".join(f"{size} > 0 && " for size in sizes)
    return f"{some}{low} < {last} && {first} < {high}"


def _hull(m: CudaMachine, view: View) -> tuple[str, str]:
    low: Number = view.offset
    high: Number = view.offset + (view.element.size if view.element else 1)
    for size, stride in zip(view.sizes or (), view.strides, strict=True):
        reach = m.algebra.multiply(size - 1, stride)
        low = low + m.algebra.choose(t.less(reach, 0), reach, 0)
        high = high + m.algebra.choose(t.less(reach, 0), 0, reach)
    return address(view, low), address(view, high)


def filled(m: CudaMachine, view: View, value: Any, kind: Attribute) -> None:
    """Give every element the same value."""
    if view.sizes is None:
        raise UnsupportedError("an access to a whole unranked memref")
    if scalar_bits(kind) is not None and isinstance(value, t.Lin):
        value = m.settled(value, None)
    each_element(
        m, view.sizes, lambda at: stored(m, address(view, byte_offset(m, view, at)), value, kind)
    )
