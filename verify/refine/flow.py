"""Branches in the normal form, and the scopes of whatever has a body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute

from verify.refine.events import Branch, Path
from verify.refine.history import Effect, History
from verify.refine.terms import Expr, known
from verify.semantics import term as t
from verify.semantics.term import Condition, Number
from verify.semantics.values import OPAQUE, Views

if TYPE_CHECKING:
    from verify.refine.normal import NormalMachine, Scope


def merge(m: NormalMachine, condition: Condition, a: Any, b: Any, kind: Attribute) -> Any:
    """`a` if `condition` else `b`."""
    if condition is True or a is b or known(a) == known(b):
        return a
    if condition is False:
        return b
    if isinstance(a, bool | t.Cond) and isinstance(b, bool | t.Cond):
        return t.any_of([t.all_of([condition, a]), t.all_of([t.negation(condition), b])])
    if isinstance(a, int | t.Lin) and isinstance(b, int | t.Lin):
        return _number(m, condition, a, b)
    if isinstance(a, Views) and isinstance(b, Views):
        first = [(t.all_of([condition, c]), v) for c, v in a.choices]
        second = [(t.all_of([t.negation(condition), c]), v) for c, v in b.choices]
        return Views(tuple((c, v) for c, v in [*first, *second] if c is not False))
    if isinstance(a, Expr) and isinstance(b, Expr):
        if isinstance(condition, t.Not):
            condition, a, b = condition.part, b, a
        return m.interner.symbol(("select", condition, known(a), known(b)), kind)
    return OPAQUE


def _number(m: NormalMachine, condition: Condition, a: Number, b: Number) -> Number:
    if _differ_by(condition, a - b):
        return b
    if isinstance(condition, t.Not) and _differ_by(condition.part, a - b):
        return a
    return m.algebra.choose(condition, a, b)


def _differ_by(condition: Condition, difference: Number) -> bool:
    """Whether the condition says that a difference is zero."""
    if not isinstance(condition, t.IsZero) or not isinstance(difference, t.Lin):
        return False
    var, factor = next(iter(difference.coefficients.items()))
    unit = condition.term.coefficients.get(var, 0)
    times, rest = divmod(factor, unit) if unit else (0, 1)
    return not rest and difference == t.times(condition.term, times)


def inside(m: NormalMachine, path: Path, head: Sequence[Effect]) -> Scope:
    """A new innermost scope at `path`, after some effects; the caller takes it away again."""
    from verify.refine.normal import Scope

    scope = Scope(path)
    scope.history = History(head)
    m.scopes.append(scope)
    return scope


def written(scope: Scope, skip: int) -> set[Any] | None:
    """The memories that a scope wrote, without the first `skip` entries; `None` for any."""
    found: set[Any] = set()
    for effect in scope.history.effects[skip:]:
        if effect.place is not None:
            found.add(effect.place.memory)
        elif effect.memories is None:
            return None
        else:
            found |= effect.memories
    return found


def branch(
    m: NormalMachine,
    cases: list[tuple[Condition, Callable[[], Sequence[Any]]]],
    kinds: Sequence[Attribute],
) -> Sequence[Any]:
    """Cases in order; the first whose condition holds."""
    condition, run = cases[0]
    if condition is True or len(cases) == 1:
        return run()
    if condition is False:
        return branch(m, cases[1:], kinds)
    swapped = isinstance(condition, t.Not)
    path = (*m.here.path, len(m.here.events))
    saved = m.conditions
    m.conditions = [*saved, condition]
    first, values = _arm(m, (*path, not swapped), run)
    m.conditions = [*saved, t.negation(condition)]
    second, others = _arm(m, (*path, swapped), lambda: branch(m, cases[1:], kinds))
    m.conditions = saved
    if first.events or second.events:
        arms = (tuple(first.events), tuple(second.events))
        positive = condition.part if isinstance(condition, t.Not) else condition
        m.emit(Branch(positive, *(reversed(arms) if swapped else arms)))
        touched = _union(written(first, 0), written(second, 0))
        m.here.history.append(Effect(path, None, None, None, touched))
    return [merge(m, condition, a, b, k) for a, b, k in zip(values, others, kinds, strict=True)]


def _arm(
    m: NormalMachine, path: Path, run: Callable[[], Sequence[Any]]
) -> tuple[Scope, Sequence[Any]]:
    scope = inside(m, path, [])
    try:
        return scope, run()
    finally:
        m.scopes.pop()


def _union(a: set[Any] | None, b: set[Any] | None) -> set[Any] | None:
    return None if a is None or b is None else a | b
