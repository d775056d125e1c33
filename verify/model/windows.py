"""Between which bytes an access must lie, given that it stays inside its view.

A *window* is a pair of numbers, the first byte and the end. It holds under the assumptions of
the access, which every question about the access makes as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from verify.model.memory import Access
from verify.semantics import term as t
from verify.semantics.term import Condition, Lin, Number, Scope, Var

Window: TypeAlias = "tuple[Number, Number]"


def window_of(access: Access) -> Window | None:
    """The bytes that an access can touch, where linear terms can say it."""
    view = access.view
    low: Number = access.address if view.sizes is None else view.offset
    high: Number = low + access.size
    is_exact = view.sizes is None or access.address == view.offset
    for size, stride in () if is_exact else zip(view.sizes or (), view.strides, strict=True):
        reach = _reach(size, stride)
        if reach is None:
            return None
        low, high = low + reach[0], high + reach[1]
    positive = known_positive(access.assumed)
    return unwrapped(low, positive), unwrapped(high, positive)


def _reach(size: Number, stride: Number) -> Window | None:
    """How far the elements of one dimension lie below and above its first one."""
    if isinstance(size, int):
        far = t.times(stride, max(size - 1, 0))
    elif isinstance(stride, int):
        far = t.times(size - 1, stride)
    else:
        return None
    low, high = t.interval(stride)
    if low is not None and low >= 0:
        return 0, far
    return (far, 0) if high is not None and high <= 0 else None


def known_positive(assumed: Iterable[Condition]) -> set[Var]:
    """The variables that are stated not to be negative, each by a condition of its own."""
    found: set[Var] = set()
    for condition in assumed:
        if isinstance(condition, t.AtMostZero) and condition.term.constant == 0:
            match list(condition.term.coefficients.items()):
                case [(var, -1)]:
                    found.add(var)
                case _:
                    pass
    return found


def unwrapped(number: Number, positive: set[Var]) -> Number:
    """`number` without wrap-around, where a wrapped value would have to be negative."""
    if isinstance(number, int):
        return number
    result: Number = number
    for var, coefficient in number.coefficients.items():
        match var.origin:
            case ("wrap", Lin() as inner, int() as bits) if var in positive:
                if _cannot_turn(inner, bits):
                    result = result + t.times(inner - var.term(), coefficient)
            case _:
                pass
    return result


def _cannot_turn(inner: Lin, bits: int) -> bool:
    """Whether `inner` must equal its wrapped value if that is not negative."""
    low, high = t.interval(inner)
    return low is not None and high is not None and low >= -(1 << (bits - 1)) and high < 1 << bits


@dataclass(frozen=True, slots=True)
class Span:
    """A window as numbers to compare: `start` and `end` count from the terms of `key`.

    Spans with another key, or with none, compare by `low` and `high`, which hold anyway.
    """

    key: object
    start: float
    end: float
    low: float
    high: float


def span_of(access: Access, scope: Scope) -> Span:
    """The span of an access; its key has only variables that the loops of `scope` fix."""
    window = window_of(access)
    bounds = [t.interval(access.address)]
    if window is None:
        return Span(None, 0, 0, *_outer_bounds(bounds, access.size))
    first, end = window
    bounds += [(t.interval(first)[0], t.interval(end)[1])]
    low, high = _outer_bounds(bounds[:1], access.size)
    low = max(low, _number(bounds[1][0], "-inf"))
    high = min(high, _number(bounds[1][1], "inf"))
    keys = [_key(n, scope) for n in window]
    if None in keys or keys[0] != keys[1]:
        return Span(None, 0, 0, low, high)
    return Span(keys[0], _constant(first), _constant(end), low, high)


def _outer_bounds(
    bounds: Sequence[tuple[int | None, int | None]], size: int
) -> tuple[float, float]:
    low, high = bounds[0]
    return _number(low, "-inf"), _number(high, "inf") + size


def _number(value: int | None, otherwise: str) -> float:
    return float(otherwise) if value is None else value


def _constant(number: Number) -> int:
    return number if isinstance(number, int) else number.constant


def _key(number: Number, scope: Scope) -> object:
    """What two numbers have in common when they differ by a constant, in any iteration."""
    if isinstance(number, int):
        return frozenset[object]()
    if any(not set(v.scope) <= set(scope) for v in number.coefficients):
        return None
    return frozenset(number.coefficients.items())


def may_meet(first: Span, second: Span) -> bool:
    """Whether two spans in one memory can have a byte in common."""
    if first.key is not None and first.key == second.key:
        return first.start < second.end and second.start < first.end
    return first.low < second.high and second.low < first.high


def meeting(first: Sequence[Span], second: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """The positions of spans of one memory that may meet, without trying all pairs."""
    groups: dict[object, list[tuple[float, int]]] = {}
    for i, span in enumerate(second):
        groups.setdefault(span.key, []).append((span.start, i))
    for group in groups.values():
        group.sort()
    for i, span in enumerate(first):
        for key, group in groups.items():
            is_same = key is not None and key == span.key
            for start, j in group:
                if is_same and start >= span.end:
                    break
                if may_meet(span, second[j]):
                    yield i, j
