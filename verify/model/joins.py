"""Joining the values of several paths or iterations into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from verify.model.order import Order, Path, joined_path, joined_token, spread
from verify.semantics import term as t
from verify.semantics.algebra import SymbolicAlgebra
from verify.semantics.term import BoolVar, Condition, Number, Scope, Truth, Var
from verify.semantics.values import OPAQUE, Opaque, View, Views

GENERAL = "any of several views"
"""The origin of numbers that stand for those of several views."""


def merge(algebra: SymbolicAlgebra, condition: Condition, a: Any, b: Any) -> Any:
    """`a` if `condition` else `b`."""
    if condition is True or a is b or (isinstance(a, Opaque) and a == b and a.key is not None):
        return a
    if condition is False:
        return b
    if isinstance(a, bool | t.Cond) and isinstance(b, bool | t.Cond):
        return t.any_of([t.all_of([condition, a]), t.all_of([t.negation(condition), b])])
    if isinstance(a, Views) and isinstance(b, Views):
        return Views(_guarded(condition, a) + _guarded(t.negation(condition), b))
    if isinstance(a, int | t.Lin) and isinstance(b, int | t.Lin):
        return algebra.choose(condition, a, b)
    token = joined_token(a, b)
    return OPAQUE if token is None else token


@dataclass(frozen=True, slots=True)
class End:
    """The end of one path: its condition, its values, and what is complete there."""

    condition: Condition
    values: Sequence[Any]
    path: Path


def end_of(order: Order, condition: Condition, values: Sequence[Any]) -> End:
    """The current point as the end of a path."""
    return End(condition, [order.freeze(v) for v in values], order.path())


def join_ends(algebra: SymbolicAlgebra, order: Order, ends: Sequence[End]) -> list[Any]:
    """Go on where several paths meet; the values of the first whose condition holds."""
    if not ends:
        return []
    path = joined_path([end.path for end in ends])
    order.resume(path)
    merged = [spread(v, ends[-1].path, path.issued) for v in ends[-1].values]
    for end in reversed(ends[:-1]):
        values = [spread(v, end.path, path.issued) for v in end.values]
        merged = [merge(algebra, end.condition, a, b) for a, b in zip(values, merged, strict=True)]
    return [order.thaw(v) for v in merged]


def _guarded(condition: Condition, views: Views) -> tuple[tuple[Condition, View], ...]:
    joined = ((t.all_of([condition, c]), v) for c, v in views.choices)
    return tuple((c, v) for c, v in joined if c is not False)


def all_choices(values: Sequence[Views]) -> list[View]:
    """The distinct views among all choices."""
    found: list[View] = []
    for value in values:
        for _, view in value.choices:
            if view not in found:
                found.append(view)
    return found


def generalised(views: Sequence[View], scope: Scope, outer: Scope) -> View:
    """One view for several that may differ from iteration to iteration: fresh in `scope`.

    What is the same number in all of them stays, if it keeps its value throughout `outer`.
    """
    first = views[0]

    def common(name: str, numbers: Sequence[Number], low: int | None = None) -> Number:
        if all(n == numbers[0] for n in numbers) and _is_fixed(numbers[0], outer):
            return numbers[0]
        return Var(name, low, None, scope, GENERAL).term()

    sizes = None
    if first.sizes is not None:
        sizes = tuple(
            common("size", [v.sizes[d] for v in views if v.sizes is not None], 0)
            for d in range(len(first.sizes))
        )
    return replace(
        first,
        offset=common("offset", [v.offset for v in views]),
        sizes=sizes,
        strides=tuple(
            common("stride", [v.strides[d] for v in views]) for d in range(len(first.strides))
        ),
        base=common("base", [v.base for v in views]),
        assumed=(),
        objects=(),
        is_contained=all(v.is_contained for v in views),
    )


def left_behind(view: View, loop: int) -> View:
    """A view that an iteration of `loop` hands on; memory allocated in it is then an older one."""
    memory = view.memory
    if loop not in memory.scope:
        return view
    if memory.older is None:
        kept = memory.scope[: memory.scope.index(loop)]
        memory.older = replace(memory, scope=kept, family=memory.family or memory)
    return replace(view, memory=memory.older)


def covers(general: View, view: View, loop: int) -> bool:
    """Whether `view` is an instance of a view that is general in `loop`."""
    if shape_key(general) != shape_key(view) or (general.is_contained and not view.is_contained):
        return False
    pairs = zip(_numbers(general), _numbers(view), strict=True)
    return all(a == b or _is_open(a, loop) for a, b in pairs)


def is_general(view: View, loop: int) -> bool:
    """Whether something about a view is left open in each iteration of `loop`."""
    return any(_is_open(number, loop) for number in _numbers(view))


def _numbers(view: View) -> tuple[Number, ...]:
    return (view.offset, view.base, *(view.sizes or ()), *view.strides)


def _is_open(number: Number, loop: int) -> bool:
    match number:
        case t.Lin(coefficients=coefficients, constant=0) if len(coefficients) == 1:
            ((var, factor),) = coefficients.items()
            return factor == 1 and var.origin == GENERAL and var.scope[-1:] == (loop,)
        case _:
            return False


def is_stable(view: View, scope: Scope) -> bool:
    """Whether every variable of a view keeps its value throughout the loops of `scope`."""
    return all(_is_fixed(n, scope) for n in _numbers(view))


def _is_fixed(number: Number, scope: Scope) -> bool:
    return all(set(v.scope) <= set(scope) for v in t.variables(number))


def shape_key(view: View) -> tuple[object, ...]:
    """What makes two views instances of one general view."""
    return (
        view.memory.id,
        view.via,
        view.element,
        view.space,
        len(view.strides),
        view.sizes is None,
    )


def any_of_views(views: Sequence[View], scope: Scope) -> Views:
    """One of several views, which one is not known."""
    choices: list[tuple[Condition, View]] = []
    missed: list[Condition] = []
    for view in views[:-1]:
        taken = Truth(BoolVar("which", scope))
        choices.append((t.all_of([*missed, taken]), view))
        missed.append(t.negation(taken))
    choices.append((t.all_of(missed), views[-1]))
    return Views(tuple(choices))


def joined_views(values: Sequence[Views], scope: Scope) -> Views:
    """The value of a loop result: any of `values`, seen from outside the loop."""
    result: list[View] = []
    for choice in all_choices(values):
        view = choice
        for loop in choice.memory.scope:
            view = view if loop in scope else left_behind(view, loop)
        plain = replace(view, assumed=(), objects=())
        kept = plain if is_stable(view, scope) else generalised([view], scope, scope)
        if kept not in result:
            result.append(kept)
    return any_of_views(result, scope)
