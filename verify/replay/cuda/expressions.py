"""Numbers and conditions as C expressions.

A number is a term over variables. A variable has a name in C, or its origin is a `Node`, an
expression that is written out where it is used. Bounds choose the type: `i64` where all values
fit, else `i128`; where only the low bits count, unsigned arithmetic modulo a power of two gives
them whatever the size of what it passes through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verify.semantics import term as t
from verify.semantics.term import Condition, Lin, Number, Var
from verify.semantics.types import UnsupportedError

_LIMITS = {width: (1 << (width - 1)) - 1 for width in (64, 128)}


@dataclass(frozen=True, slots=True)
class Node:
    """An expression: `kind` says which, by the name of what the algebra was asked for."""

    kind: str
    operands: tuple[Any, ...]
    weight: int = 1


def width_of(a: Number) -> int:
    """The bits of the C type that holds every value of `a`: 64 or 128."""
    low, high = t.interval(a)
    for width, limit in _LIMITS.items():
        if low is not None and high is not None and -limit - 1 <= low and high <= limit:
            return width
    raise UnsupportedError("a number of more than 128 bits")


def low_word(a: Number) -> str:
    """A number as an `i64`, modulo two to the 64: its value where it fits."""
    low, high = t.interval(a)
    limit = _LIMITS[64]
    fits = low is not None and high is not None and -limit - 1 <= low and high <= limit
    return exact(a) if fits else f"(i64){ring(a, 64)}"


def exact(a: Number, width: int = 0) -> str:
    """The value of a number, in the type of its own width or of a greater one."""
    own = width_of(a)
    text = _literal(a) if isinstance(a, int) else _exact_sum(a, own)
    return text if width in (0, own) else f"(i{width}){text}"


def _exact_sum(a: Lin, width: int) -> str:
    if a.constant == 0 and len(a.coefficients) == 1:
        ((var, factor),) = a.coefficients.items()
        if factor == 1:
            return _exact_variable(var)
    if width == 64 and _is_plain(a):
        parts = [_scaled(_exact_variable(v), c) for v, c in a.coefficients.items()]
        return _sum(parts, _literal(abs(a.constant)), a.constant)
    return f"(i{width}){ring(a, width)}"


def _is_plain(a: Lin) -> bool:
    """Whether no partial sum can leave 64 bits."""
    total = abs(a.constant)
    for var, factor in a.coefficients.items():
        low, high = t.interval(var.term())
        if low is None or high is None:
            return False
        total += abs(factor) * max(abs(low), abs(high))
    return total <= _LIMITS[64]


def _scaled(text: str, factor: int) -> tuple[str, bool]:
    return (text if abs(factor) == 1 else f"{abs(factor)} * {text}", factor < 0)


def _sum(parts: list[tuple[str, bool]], constant: str, sign: int) -> str:
    """Terms with their signs; a positive one comes first where there is one."""
    ordered = sorted(parts, key=lambda part: part[1])
    first, is_negative = ordered[0]
    text = f"-{first}" if is_negative else first
    for part, is_negative in ordered[1:]:
        text += f" {'-' if is_negative else '+'} {part}"
    if sign:
        text += f" {'-' if sign < 0 else '+'} {constant}"
    return f"({text})"


def ring(a: Number, width: int) -> str:
    """A number modulo two to the `width`, as an unsigned expression."""
    kind = f"u{width}"
    if isinstance(a, int):
        return f"({kind}){_literal(a % (1 << 64) if width == 64 else a)}"
    if width == 64 and _is_plain(a):
        return f"(u64){_exact_sum(a, 64)}"
    parts = [_ring_part(v, c, width) for v, c in a.coefficients.items()]
    if len(parts) == 1 and not a.constant and not parts[0][1]:
        return parts[0][0]
    constant = ring(abs(a.constant), width)
    return _sum(parts, constant, a.constant)


def _ring_part(var: Var, factor: int, width: int) -> tuple[str, bool]:
    text = _ring_variable(var, width)
    if abs(factor) != 1:
        text = f"({ring(abs(factor), width)} * {text})"
    return text, factor < 0


def _ring_variable(var: Var, width: int) -> str:
    match var.origin:
        case Node("product", (a, b)):
            return f"({ring(a, width)} * {ring(b, width)})"
        case Node("choice", (c, a, b)):
            return f"({condition(c)} ? {ring(a, width)} : {ring(b, width)})"
        case _:
            return f"(u{width}){_exact_variable(var)}"


def _exact_variable(var: Var) -> str:
    if not isinstance(var.origin, Node):
        return var.name
    return _written(var, var.origin)


def _written(var: Var, node: Node) -> str:
    match node.kind, node.operands:
        case "text", (text,):
            return str(text)
        case "number", (a,):
            return exact(a, width_of(var.term()))
        case "product", (a, b):
            return _typed(var, "*", a, b)
        case "bits", (sign, a, b):
            return _typed(var, sign, a, b)
        case "wrap", (a, bits):
            return f"wrapped<{bits}>({ring(a, 64)})" if bits < 64 else f"(i64){ring(a, 64)}"
        case "quotient", (a, b):
            width = max(width_of(a), width_of(b))
            name = "floor_divide" if width == 64 else "wide_floor_divide"
            return f"{name}({exact(a, width)}, {exact(b, width)})"
        case "choice", (c, a, b):
            width = max(width_of(a), width_of(b))
            cast = f"(i{width})" if isinstance(a, int) and isinstance(b, int) else ""
            return f"({condition(c)} ? {cast}{exact(a, width)} : {cast}{exact(b, width)})"
        case "power", (amount,):
            return f"((i{width_of(var.term())})1 << ({exact(amount)} & 63))"
        case _:
            raise UnsupportedError(f"{node.operands[0]}")


def _typed(var: Var, sign: str, a: Number, b: Number) -> str:
    width = max(width_of(var.term()), width_of(a), width_of(b))
    return f"({exact(a, width)} {sign} {exact(b, width)})"


def _literal(number: int) -> str:
    """A constant; the smallest one has no literal of its own."""
    if -_LIMITS[64] <= number <= _LIMITS[64]:
        text = f"{number}ll" if abs(number) > 0x7FFFFFFF else str(number)
        return f"({text})" if number < 0 else text
    if number == -_LIMITS[64] - 1:
        return f"(-{_LIMITS[64]}ll - 1)"
    if abs(number) < 1 << 64:
        return f"({'-' if number < 0 else ''}(i128){abs(number)}ull)"
    return f"(i128)((u128){_literal(number >> 64)} << 64 | {number % (1 << 64)}ull)"


def condition(c: Condition) -> str:
    """A truth value."""
    match c:
        case bool():
            return "true" if c else "false"
        case t.Truth(var):
            return var.name
        case t.AtMostZero(term):
            return _compared(term, "<=")
        case t.IsZero(term):
            return _compared(term, "==")
        case t.Not(t.IsZero(term)):
            return _compared(term, "!=")
        case t.Not(part):
            return f"!{condition(part)}"
        case t.And(parts):
            return f"({' && '.join(condition(p) for p in parts)})"
        case t.Or(parts):
            return f"({' || '.join(condition(p) for p in parts)})"
        case _:
            raise UnsupportedError("a condition that has no form in C")


def _compared(term: Lin, sign: str) -> str:
    """`term` against zero, with what is negative in it on the other side."""
    left = t.Lin({v: c for v, c in term.coefficients.items() if c > 0}, max(term.constant, 0))
    right = t.Lin({v: -c for v, c in term.coefficients.items() if c < 0}, max(-term.constant, 0))
    if sign == "<=" and term.constant == 1 and left.coefficients:
        left, sign = t.Lin(left.coefficients, 0), "<"
    return f"({_side(left)} {sign} {_side(right)})"


def _side(part: Lin) -> str:
    return exact(part if part.coefficients else part.constant)
