"""Terms as Z3 expressions.

A variable stands for one value in each iteration of the loops of its scope. A *tag* names an
iteration of a loop; a variable is encoded once for each combination of tags of its scope, and
its bounds and facts come with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import z3

from verify.semantics.term import (
    And,
    AtMostZero,
    BoolVar,
    Condition,
    IsZero,
    Lin,
    Not,
    Number,
    Or,
    Product,
    Truth,
    Var,
)

Tags: TypeAlias = "Mapping[int, str]"
Expr: TypeAlias = "Any"


# Z3's own operators look up the sorts of their operands anew; here all are integers, so the
# functions below them are called directly.


@lru_cache(maxsize=4096)
def _constant(value: int) -> Expr:
    return z3.IntVal(value)


def _many(make: Callable[..., Any], parts: Sequence[Expr]) -> Expr:
    context = parts[0].ctx
    asts = (z3.Ast * len(parts))(*(part.as_ast() for part in parts))
    return z3.ArithRef(make(context.ref(), len(parts), asts), context)


def _join(make: Callable[..., Any], parts: Sequence[Expr]) -> Expr:
    if len(parts) == 1:
        return parts[0]
    context = z3.main_ctx()
    asts = (z3.Ast * len(parts))(*(part.as_ast() for part in parts))
    return z3.BoolRef(make(context.ref(), len(parts), asts), context)


def all_hold(parts: Sequence[Expr]) -> Expr:
    """The conjunction of Boolean expressions."""
    return _join(z3.Z3_mk_and, parts)


def one_holds(parts: Sequence[Expr]) -> Expr:
    """The disjunction of Boolean expressions."""
    return _join(z3.Z3_mk_or, parts)


def implies(condition: Expr, then: Expr) -> Expr:
    """An implication between Boolean expressions."""
    return _compare(z3.Z3_mk_implies, condition, then)


def within(expr: Expr, low: int, high: int) -> list[Expr]:
    """Both bounds of an integer expression."""
    return [
        _compare(z3.Z3_mk_ge, expr, _constant(low)),
        _compare(z3.Z3_mk_le, expr, _constant(high)),
    ]


def _compare(make: Callable[..., Any], a: Expr, b: Expr) -> Expr:
    return z3.BoolRef(make(a.ctx.ref(), a.as_ast(), b.as_ast()), a.ctx)


class Encoder:
    """Collects the constraints of one query and the variables that occur in it."""

    def __init__(self) -> None:
        self.constraints: list[Expr] = []
        self.instances: dict[tuple[int, tuple[str, ...]], tuple[Var | BoolVar, Expr]] = {}
        # With the condition itself, so that no other one can take its identity.
        self._known: dict[tuple[object, ...], tuple[Condition, Expr]] = {}

    def require(self, condition: Condition, tags: Tags) -> None:
        """Add a condition that must hold."""
        if condition is not True:
            self.constraints.append(self.condition(condition, tags))

    def number(self, number: Number, tags: Tags) -> Expr:
        """A number as an integer expression."""
        if isinstance(number, int):
            return _constant(number)
        parts = [
            self.variable(v, tags)
            if c == 1
            else _many(z3.Z3_mk_mul, (_constant(c), self.variable(v, tags)))
            for v, c in number.coefficients.items()
        ]
        if number.constant:
            parts.append(_constant(number.constant))
        return parts[0] if len(parts) == 1 else _many(z3.Z3_mk_add, parts)

    def variable(self, var: Var | BoolVar, tags: Tags) -> Expr:
        """The instance of a variable in the iterations that `tags` names."""
        place = tuple(tags.get(loop, "") for loop in var.scope)
        key = (var.id, place)
        known = self.instances.get(key)
        if known is not None:
            return known[1]
        name = f"{var.name}!{var.id}{''.join('@' + p for p in place if p)}"
        expr = z3.Int(name) if isinstance(var, Var) else z3.Bool(name)
        self.instances[key] = (var, expr)
        if isinstance(var, Var):
            self._define(var, expr, tags)
        return expr

    def _define(self, var: Var, expr: Expr, tags: Tags) -> None:
        if var.low is not None:
            self.constraints.append(_compare(z3.Z3_mk_ge, expr, _constant(var.low)))
        if var.high is not None:
            self.constraints.append(_compare(z3.Z3_mk_le, expr, _constant(var.high)))
        for fact in var.facts:
            self.require(fact, tags)

    def condition(self, condition: Condition, tags: Tags) -> Expr:
        """A condition as a Boolean expression."""
        key = (id(condition), *tags.items())
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = (condition, self._condition(condition, tags))
        return known[1]

    def _condition(self, condition: Condition, tags: Tags) -> Expr:
        match condition:
            case bool():
                return z3.BoolVal(condition)
            case AtMostZero(term):
                limit = _constant(-term.constant)
                return _compare(z3.Z3_mk_le, self._linear(term, tags), limit)
            case IsZero(term):
                value = _constant(-term.constant)
                return _compare(z3.Z3_mk_eq, self._linear(term, tags), value)
            case Product(result, left, right):
                return self.variable(result, tags) == self.number(left, tags) * self.number(
                    right, tags
                )
            case Truth(var):
                return self.variable(var, tags)
            case Not(part):
                return z3.Not(self.condition(part, tags))
            case And(parts):
                return all_hold([self.condition(p, tags) for p in parts])
            case Or(parts):
                return one_holds([self.condition(p, tags) for p in parts])
            case _:
                raise TypeError(type(condition))

    def _linear(self, term: Lin, tags: Tags) -> Expr:
        return self.number(Lin(term.coefficients, 0), tags)
