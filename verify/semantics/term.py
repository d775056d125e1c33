"""Integer terms and conditions over symbolic variables, without a solver.

A *number* is a Python `int` or a `Lin`, a linear combination of `Var`s; whatever is not linear
(products, quotients, wrap-around, choices) is a fresh variable with *facts* that define it. A
*condition* is a Python `bool` or a `Cond`. Constants fold, so concrete programs stay concrete.

A variable belongs to a *scope*, the loops (outermost first) in whose iterations it takes a new
value. Two iterations are told apart when a term is encoded, not by renaming.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from math import gcd
from typing import TypeAlias

Number: TypeAlias = "int | Lin"
Condition: TypeAlias = "bool | Cond"
Scope: TypeAlias = "tuple[int, ...]"

_ids = count()


@dataclass(eq=False, slots=True)
class Var:
    """An unknown integer in `[low, high]` (`None` is unbounded) for which all `facts` hold.

    `origin` says what it stands for when a counterexample must be made concrete.
    """

    name: str
    low: int | None = None
    high: int | None = None
    scope: Scope = ()
    origin: object = None
    facts: list[Condition] = field(default_factory=list)
    id: int = field(default_factory=lambda: next(_ids))

    def term(self) -> Lin:
        """This variable as a number."""
        return Lin({self: 1}, 0)


@dataclass(eq=False, slots=True)
class BoolVar:
    """An unknown truth value."""

    name: str
    scope: Scope = ()
    origin: object = None
    id: int = field(default_factory=lambda: next(_ids))


class Lin:
    """A linear combination of variables plus a constant; immutable by convention."""

    __slots__ = ("_hash", "coefficients", "constant")

    def __init__(self, coefficients: Mapping[Var, int], constant: int) -> None:
        self.coefficients = coefficients
        self.constant = constant
        self._hash: int | None = None

    def __add__(self, other: Number) -> Number:
        if isinstance(other, int):
            return Lin(self.coefficients, self.constant + other) if other else self
        merged = dict(self.coefficients)
        for var, coefficient in other.coefficients.items():
            total = merged.get(var, 0) + coefficient
            if total:
                merged[var] = total
            else:
                del merged[var]
        return _make(merged, self.constant + other.constant)

    __radd__ = __add__

    def __neg__(self) -> Lin:
        return Lin({v: -c for v, c in self.coefficients.items()}, -self.constant)

    def __sub__(self, other: Number) -> Number:
        return self + (-other)

    def __rsub__(self, other: Number) -> Number:
        return (-self) + other

    def scaled(self, factor: int) -> Number:
        """This term times a constant."""
        if factor == 0:
            return 0
        if factor == 1:
            return self
        return Lin({v: c * factor for v, c in self.coefficients.items()}, self.constant * factor)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Lin)
            and self.constant == other.constant
            and self.coefficients == other.coefficients
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.constant, frozenset(self.coefficients.items())))
        return self._hash

    def __repr__(self) -> str:
        parts = [f"{c}*{v.name}" for v, c in self.coefficients.items()]
        return " + ".join([*parts, str(self.constant)])


def _make(coefficients: Mapping[Var, int], constant: int) -> Number:
    return Lin(coefficients, constant) if coefficients else constant


def whole(a: Number) -> int:
    """A number that is known to be a constant, as it is in a concrete run."""
    if isinstance(a, int):
        return a
    raise TypeError(f"{a} is not a constant")


def times(a: Number, factor: int) -> Number:
    """`a` times a constant."""
    return a * factor if isinstance(a, int) else a.scaled(factor)


def interval(a: Number) -> tuple[int | None, int | None]:
    """Bounds of `a` from the bounds of its variables."""
    if isinstance(a, int):
        return a, a
    low: int | None = a.constant
    high: int | None = a.constant
    for var, c in a.coefficients.items():
        small, large = (var.low, var.high) if c > 0 else (var.high, var.low)
        low = None if low is None or small is None else low + c * small
        high = None if high is None or large is None else high + c * large
    return low, high


def stride_of(a: Number) -> int:
    """The greatest common divisor of the coefficients: `a` is its constant modulo this."""
    return 0 if isinstance(a, int) else gcd(*a.coefficients.values())


class Cond:
    """A condition that is not constant."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class AtMostZero(Cond):
    """`term <= 0`."""

    term: Lin


@dataclass(frozen=True, slots=True)
class IsZero(Cond):
    """`term == 0`."""

    term: Lin


@dataclass(frozen=True, slots=True)
class Product(Cond):
    """`result == left * right`, the only nonlinear fact."""

    result: Var
    left: Number
    right: Number


@dataclass(frozen=True, slots=True)
class Truth(Cond):
    """A Boolean variable."""

    var: BoolVar


@dataclass(frozen=True, slots=True)
class Not(Cond):
    """Negation."""

    part: Cond


@dataclass(frozen=True, slots=True)
class And(Cond):
    """Conjunction of two or more."""

    parts: tuple[Cond, ...]


@dataclass(frozen=True, slots=True)
class Or(Cond):
    """Disjunction of two or more."""

    parts: tuple[Cond, ...]


def at_most(a: Number, b: Number) -> Condition:
    """`a <= b`."""
    difference = a - b
    if isinstance(difference, int):
        return difference <= 0
    low, high = interval(difference)
    if high is not None and high <= 0:
        return True
    if low is not None and low > 0:
        return False
    return AtMostZero(difference)


def less(a: Number, b: Number) -> Condition:
    """`a < b`."""
    return at_most(a + 1, b)


def equal(a: Number, b: Number) -> Condition:
    """`a == b`."""
    difference = a - b
    if isinstance(difference, int):
        return difference == 0
    low, high = interval(difference)
    if (low is not None and low > 0) or (high is not None and high < 0):
        return False
    step = stride_of(difference)
    if difference.constant % step:
        return False
    return IsZero(difference)


def negation(a: Condition) -> Condition:
    """`not a`."""
    if isinstance(a, bool):
        return not a
    if isinstance(a, Not):
        return a.part
    if isinstance(a, AtMostZero):
        return at_most(1, a.term)
    return Not(a)


def all_of(parts: Iterable[Condition]) -> Condition:
    """Conjunction; `False` wins."""
    kept: dict[Cond, None] = {}
    for part in parts:
        if part is False:
            return False
        if isinstance(part, And):
            kept.update(dict.fromkeys(part.parts))
        elif isinstance(part, Cond):
            kept[part] = None
    if any(isinstance(p, Not) and p.part in kept for p in kept):
        return False
    match len(kept):
        case 0:
            return True
        case 1:
            return next(iter(kept))
        case _:
            return And(tuple(kept))


def conjuncts(condition: Condition) -> tuple[Condition, ...]:
    """The conditions that must all hold for `condition` to hold."""
    return condition.parts if isinstance(condition, And) else (condition,)


def any_of(parts: Iterable[Condition]) -> Condition:
    """Disjunction; `True` wins."""
    kept: dict[Cond, None] = {}
    for part in parts:
        if part is True:
            return True
        if isinstance(part, Or):
            kept.update(dict.fromkeys(part.parts))
        elif isinstance(part, Cond):
            kept[part] = None
    match len(kept):
        case 0:
            return False
        case 1:
            return next(iter(kept))
        case _:
            return Or(tuple(kept))


def variables(a: Number | Condition) -> Iterator[Var | BoolVar]:
    """The variables that occur in `a`, without those of their facts."""
    match a:
        case Lin():
            yield from a.coefficients
        case AtMostZero(term) | IsZero(term):
            yield from term.coefficients
        case Product(result, left, right):
            yield result
            yield from variables(left)
            yield from variables(right)
        case Truth(var):
            yield var
        case Not(part):
            yield from variables(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from variables(part)
        case _:
            return


def scope_of(*parts: Number | Condition) -> Scope:
    """The deepest scope among the variables of `parts`, which lie on one chain of loops."""
    scopes = (var.scope for part in parts for var in variables(part))
    return max(scopes, key=len, default=())
