"""Integer arithmetic in two carriers: Python integers, and terms.

Integers of `bits` bits are kept in their signed form, in `[-2**(bits-1), 2**(bits-1))`; `index`
is 64 bits wide. Booleans (`i1`) are conditions. Source: the `arith` dialect's documentation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from verify.semantics import term as t
from verify.semantics.term import BoolVar, Condition, Number, Scope, Truth, Var
from verify.semantics.types import UnsupportedError


class Algebra(Protocol):
    """What a rule may do with numbers beyond `+`, `-` and comparison by name."""

    def multiply(self, a: Number, b: Number) -> Number: ...
    def divide(self, a: Number, b: Number) -> Number:
        """Quotient rounded to minus infinity; `b` is positive."""
        ...

    def wrap(self, a: Number, bits: int) -> Number: ...
    def choose(self, c: Condition, a: Number, b: Number) -> Number: ...
    def bitwise(self, name: str, a: Number, b: Number, bits: int) -> Number: ...
    def power(self, amount: Number, bits: int) -> Number:
        """Two to the power of a shift's amount, which is less than `bits`."""
        ...


class UndefinedBehaviourError(Exception):
    """A concrete run did what MLIR leaves undefined; such runs prove nothing."""


def known_power(amount: Number, bits: int) -> int:
    """Two to the power of an amount that is known and in range."""
    if not isinstance(amount, int) or not 0 <= amount < bits:
        raise UnsupportedError("shift by an amount that is not known")
    return 1 << amount


class ConcreteAlgebra:
    """Arithmetic on Python integers."""

    def multiply(self, a: Number, b: Number) -> Number:
        assert isinstance(a, int)
        assert isinstance(b, int)
        return a * b

    def divide(self, a: Number, b: Number) -> Number:
        assert isinstance(a, int)
        assert isinstance(b, int)
        if b == 0:
            raise UndefinedBehaviourError("division by zero")
        return a // b

    def wrap(self, a: Number, bits: int) -> Number:
        assert isinstance(a, int)
        half = 1 << (bits - 1)
        return (a + half) % (1 << bits) - half

    def choose(self, c: Condition, a: Number, b: Number) -> Number:
        return a if c else b

    def bitwise(self, name: str, a: Number, b: Number, bits: int) -> Number:
        assert isinstance(a, int)
        assert isinstance(b, int)
        return self.wrap({"and": a & b, "or": a | b, "xor": a ^ b}[name], bits)

    def power(self, amount: Number, bits: int) -> Number:
        return known_power(amount, bits)


def bit_range(bits: int) -> tuple[int, int]:
    """Smallest and largest signed value of `bits` bits."""
    half = 1 << (bits - 1)
    return -half, half - 1


def _product_bounds(a: Number, b: Number) -> tuple[int | None, int | None]:
    (al, ah), (bl, bh) = t.interval(a), t.interval(b)
    if al is None or ah is None or bl is None or bh is None:
        both = al is not None and bl is not None and al >= 0 and bl >= 0
        return (al * bl if both and al is not None and bl is not None else None), None
    corners = (al * bl, al * bh, ah * bl, ah * bh)
    return min(corners), max(corners)


class SymbolicAlgebra:
    """Arithmetic on terms; a nonlinear result is a variable that its facts define."""

    def __init__(self) -> None:
        self._memo: dict[object, Number] = {}

    def _define(
        self, key: object, make: Callable[[], Var], facts: Callable[[Var], list[Condition]]
    ) -> Number:
        if (known := self._memo.get(key)) is not None:
            return known
        var = make()
        var.facts.extend(facts(var))
        self._memo[key] = var.term()
        return self._memo[key]

    def multiply(self, a: Number, b: Number) -> Number:
        if isinstance(a, int):
            return t.times(b, a)
        if isinstance(b, int):
            return t.times(a, b)
        if a.coefficients.keys() and hash(a) > hash(b):
            a, b = b, a
        low, high = _product_bounds(a, b)
        return self._define(
            ("*", a, b),
            lambda: Var("product", low, high, t.scope_of(a, b)),
            lambda v: [t.Product(v, a, b)],
        )

    def divide(self, a: Number, b: Number) -> Number:
        if isinstance(b, int) and b > 0:
            return self._divide_by(a, b)
        low, _ = t.interval(a)
        divisor_low, _ = t.interval(b)
        name = "quotient"
        if low is not None and low >= 0 and divisor_low is not None and divisor_low >= 1:
            return self._define(
                ("/", a, b),
                lambda: Var(name, 0, t.interval(a)[1], t.scope_of(a, b)),
                lambda v: self._division_facts(v, a, b),
            )
        return Var(name, scope=t.scope_of(a, b)).term()

    def _division_facts(self, quotient: Var, a: Number, b: Number) -> list[Condition]:
        covered = self.multiply(quotient.term(), b)
        return [t.at_most(covered, a), t.less(a, covered + b)]

    def _divide_by(self, a: Number, b: int) -> Number:
        if isinstance(a, int):
            return a // b
        if b == 1:
            return a
        step = t.stride_of(a)
        if step % b == 0:
            whole = t.Lin({v: c // b for v, c in a.coefficients.items()}, 0)
            return whole + a.constant // b
        low, high = t.interval(a)
        if low is not None and high is not None and low // b == high // b:
            return low // b
        return self._define(
            ("/", a, b),
            lambda: Var(
                "quotient",
                None if low is None else low // b,
                None if high is None else high // b,
                t.scope_of(a),
            ),
            lambda v: [
                t.at_most(t.times(v.term(), b), a),
                t.less(a, t.times(v.term(), b) + b),
            ],
        )

    def wrap(self, a: Number, bits: int) -> Number:
        low, high = bit_range(bits)
        a_low, a_high = t.interval(a)
        if a_low is not None and a_high is not None and low <= a_low and a_high <= high:
            return a
        if isinstance(a, int):
            return (a - low) % (1 << bits) + low
        return self._define(
            ("wrap", a, bits),
            lambda: Var("wrapped", low, high, t.scope_of(a), origin=("wrap", a, bits)),
            lambda v: [self._wrap_fact(v, a, bits)],
        )

    def _wrap_fact(self, var: Var, a: Number, bits: int) -> Condition:
        low, high = t.interval(a)
        width = 1 << bits
        half = width >> 1
        turns = Var(
            "turns",
            None if low is None else (low + half) // width,
            None if high is None else (high + half) // width,
            var.scope,
        )
        return t.equal(a - var.term(), t.times(turns.term(), width))

    def choose(self, c: Condition, a: Number, b: Number) -> Number:
        if isinstance(c, bool):
            return a if c else b
        if a == b:
            return a
        (al, ah), (bl, bh) = t.interval(a), t.interval(b)
        low = None if al is None or bl is None else min(al, bl)
        high = None if ah is None or bh is None else max(ah, bh)
        return self._define(
            ("choose", c, a, b),
            lambda: Var("choice", low, high, t.scope_of(c, a, b)),
            lambda v: [
                t.any_of([t.negation(c), t.equal(v.term(), a)]),
                t.any_of([c, t.equal(v.term(), b)]),
            ],
        )

    def bitwise(self, name: str, a: Number, b: Number, bits: int) -> Number:
        if isinstance(a, int) and isinstance(b, int):
            return ConcreteAlgebra().bitwise(name, a, b, bits)
        if isinstance(a, int):
            a, b = b, a
        low, _ = t.interval(a)
        if name == "and" and isinstance(b, int) and b >= 0:
            if (b & (b + 1)) == 0:
                return a - t.times(self.divide(a, b + 1), b + 1)
            return self._define(
                ("and", a, b), lambda: Var("masked", 0, b, t.scope_of(a)), lambda _: []
            )
        both_low = t.interval(b)[0]
        if low is not None and low >= 0 and both_low is not None and both_low >= 0:
            return self._define(
                (name, a, b),
                lambda: Var(name, 0, bit_range(bits)[1], t.scope_of(a, b)),
                lambda _: [],
            )
        small, large = bit_range(bits)
        return self._define(
            (name, a, b), lambda: Var(name, small, large, t.scope_of(a, b)), lambda _: []
        )

    def power(self, amount: Number, bits: int) -> Number:
        return known_power(amount, bits)

    def fresh(self, name: str, bits: int, scope: Scope, origin: object = None) -> Number:
        """An arbitrary integer of `bits` bits."""
        low, high = bit_range(bits)
        return Var(name, low, high, scope, origin).term()

    def fresh_truth(self, name: str, scope: Scope, origin: object = None) -> Condition:
        """An arbitrary truth value."""
        return Truth(BoolVar(name, scope, origin))
