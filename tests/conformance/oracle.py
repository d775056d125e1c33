"""What the `arith` documentation says of integers, on plain Python numbers.

Values are unsigned bit patterns in here; `None` is a result that is undefined or poison.
"""

from __future__ import annotations

from collections.abc import Callable


def signed(a: int, bits: int) -> int:
    """A bit pattern in two's complement."""
    a %= 1 << bits
    return a - (1 << bits) if a >> (bits - 1) else a


def _quotient(a: int, b: int) -> int:
    """Rounded towards zero."""
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


def _signed_division(divide: Callable[[int, int], int]) -> Callable[[int, int, int], int | None]:
    def run(a: int, b: int, bits: int) -> int | None:
        x, y = signed(a, bits), signed(b, bits)
        if y == 0 or (x == -(1 << (bits - 1)) and y == -1):
            return None
        return divide(x, y)

    return run


def _shift(shift: Callable[[int, int, int], int]) -> Callable[[int, int, int], int | None]:
    return lambda a, b, bits: shift(a, b, bits) if b < bits else None


BINARY: dict[str, Callable[[int, int, int], int | None]] = {
    "addi": lambda a, b, _: a + b,
    "subi": lambda a, b, _: a - b,
    "muli": lambda a, b, _: a * b,
    "divui": lambda a, b, _: a // b if b else None,
    "remui": lambda a, b, _: a % b if b else None,
    "ceildivui": lambda a, b, _: -(-a // b) if b else None,
    "divsi": _signed_division(_quotient),
    "remsi": _signed_division(lambda a, b: a - b * _quotient(a, b)),
    "floordivsi": _signed_division(lambda a, b: a // b),
    "ceildivsi": _signed_division(lambda a, b: -(-a // b)),
    "andi": lambda a, b, _: a & b,
    "ori": lambda a, b, _: a | b,
    "xori": lambda a, b, _: a ^ b,
    "shli": _shift(lambda a, b, _: a << b),
    "shrui": _shift(lambda a, b, _: a >> b),
    "shrsi": _shift(lambda a, b, bits: signed(a, bits) >> b),
    "minui": lambda a, b, _: min(a, b),
    "maxui": lambda a, b, _: max(a, b),
    "minsi": lambda a, b, bits: min(a, b, key=lambda v: signed(v, bits)),
    "maxsi": lambda a, b, bits: max(a, b, key=lambda v: signed(v, bits)),
}

PREDICATES: dict[str, Callable[[int, int, int], bool]] = {
    "eq": lambda a, b, _: a == b,
    "ne": lambda a, b, _: a != b,
    "slt": lambda a, b, bits: signed(a, bits) < signed(b, bits),
    "sle": lambda a, b, bits: signed(a, bits) <= signed(b, bits),
    "sgt": lambda a, b, bits: signed(a, bits) > signed(b, bits),
    "sge": lambda a, b, bits: signed(a, bits) >= signed(b, bits),
    "ult": lambda a, b, _: a < b,
    "ule": lambda a, b, _: a <= b,
    "ugt": lambda a, b, _: a > b,
    "uge": lambda a, b, _: a >= b,
}

CASTS: dict[str, Callable[[int, int], int]] = {
    "extsi": signed,
    "extui": lambda a, _: a,
    "trunci": lambda a, _: a,
    "index_cast": signed,
    "index_castui": lambda a, _: a,
}


def binary(name: str, a: int, b: int, bits: int) -> int | None:
    """The signed result of an op on two signed operands, or `None` where it has none."""
    mask = (1 << bits) - 1
    found = BINARY[name](a & mask, b & mask, bits)
    return None if found is None else signed(found, bits)


def compare(predicate: str, a: int, b: int, bits: int) -> bool:
    """A comparison of two signed operands."""
    mask = (1 << bits) - 1
    return PREDICATES[predicate](a & mask, b & mask, bits)


def cast(name: str, a: int, old: int, new: int) -> int:
    """The signed result of widening or narrowing a signed operand."""
    return signed(CASTS[name](a & ((1 << old) - 1), old), new)
