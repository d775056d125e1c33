"""`python -m tests.token_brute_force.shrink SEED NUMBER [WORDS]`: the smallest program like one.

A smaller program counts when its judgement still has a fault or reason that starts with WORDS.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from fuzz.references.order_verdicts import judge
from fuzz.strategies import token_syntax as s
from fuzz.strategies.token_rendering import render
from tests.token_brute_force.__main__ import program_of

Body = tuple[s.Statement, ...]


def shrink(program: s.Program, is_wanted: Callable[[s.Program], bool]) -> s.Program:
    """Greedy: the first smaller program that is still wanted, until there is none."""
    while True:
        found = next((p for p in smaller(program) if is_wanted(p)), None)
        if found is None:
            return program
        program = found


def smaller(program: s.Program) -> Iterator[s.Program]:
    """The programs with one thing less."""
    for body in _bodies(program.body):
        yield replace(program, body=body)
    for i in range(len(program.returned)):
        yield replace(program, returned=_without(program.returned, i))
    if program.distinct:
        yield replace(program, distinct=())
    for kind in ("parameters", "kernels"):
        parts = getattr(program, kind)
        for i in range(len(parts)):
            yield replace(program, **{kind: _without(parts, i)})
    for i, kernel in enumerate(program.kernels):
        for j in range(len(kernel.body)):
            less = replace(kernel, body=_without(kernel.body, j))
            yield replace(program, kernels=(*program.kernels[:i], less, *program.kernels[i + 1 :]))


def _without(items: tuple[object, ...], i: int) -> tuple[object, ...]:
    return items[:i] + items[i + 1 :]


def _bodies(body: Body) -> Iterator[Body]:
    for i, statement in enumerate(body):
        yield body[:i] + body[i + 1 :]
        yield from _bridged(body[:i], statement, body[i + 1 :])
        for inside in s.regions(statement):
            if inside:
                yield body[:i] + inside + body[i + 1 :]
    for i, statement in enumerate(body):
        for less in _statements(statement):
            yield (*body[:i], less, *body[i + 1 :])


def _bridged(before: Body, statement: s.Statement, after: Body) -> Iterator[Body]:
    """Without a statement; what used its token uses one of its dependencies."""
    made = statement.name if isinstance(statement, s.Join) else getattr(statement, "token", None)
    names = getattr(statement, "deps", getattr(statement, "tokens", ()))
    if made is not None:
        yield from (before + renamed(after, made, name) for name in names)


def renamed(node: Any, old: str, new: str) -> Any:
    """The same with one name for another."""
    if isinstance(node, tuple):
        return tuple(renamed(n, old, new) for n in node)
    if is_dataclass(node) and not isinstance(node, type):
        changes = {f.name: renamed(getattr(node, f.name), old, new) for f in fields(node)}
        return replace(node, **changes)
    return new if node == old else node


def _statements(st: s.Statement) -> Iterator[s.Statement]:
    yield from _fewer_names(st)
    match st:
        case s.If():
            yield from (replace(st, then=b) for b in _bodies(st.then))
            yield from (replace(st, other=b) for b in _bodies(st.other or ()))
            yield from _without_result(st, "results", "then_yields", "other_yields")
            if st.other is not None and not st.results:
                yield replace(st, other=None)
        case s.Loop():
            yield from (replace(st, body=b) for b in _bodies(st.body))
            yield from (replace(st, before=b) for b in _bodies(st.before))
            yield from _without_result(st, "carried", "yields")
            yield from _fewer_trips(st)
        case s.Tangle():
            yield from (replace(st, first=b) for b in _bodies(st.first))
            yield from (replace(st, second=b) for b in _bodies(st.second))
            yield from _without_result(st, "carried", "seconds", "first_yields", "second_yields")
            yield from _fewer_trips(st)
        case s.Execute():
            yield from (replace(st, body=b) for b in _bodies(st.body))
            yield from _without_result(st, "results", "yields")
            yield from _without_result(st, "operands")
        case _:
            return


def _fewer_names(st: s.Statement) -> Iterator[s.Statement]:
    for attribute in ("deps", "tokens"):
        names = getattr(st, attribute, ())
        for i in range(len(names)):
            yield replace(st, **{attribute: _without(names, i)})


def _without_result(st: s.Statement, *attributes: str) -> Iterator[s.Statement]:
    for i in range(len(getattr(st, attributes[0]))):
        yield replace(st, **{a: _without(getattr(st, a), i) for a in attributes})


def _fewer_trips(st: s.Loop | s.Tangle) -> Iterator[s.Statement]:
    if isinstance(st.trips, str):
        yield from (replace(st, trips=n) for n in (3, 2))


def is_like(program: s.Program, words: str) -> bool:
    """Whether the judgement of a program has a fault or reason that starts so."""
    try:
        judgement = judge(program, sees_data=False)
    except (KeyError, AttributeError, IndexError, AssertionError):
        return False
    found = [*judgement.faults, *judgement.reasons]
    return judgement.verdict != "invalid" and any(f.startswith(words) for f in found)


def main(arguments: Sequence[str]) -> None:
    """Print the smallest program."""
    program = program_of(int(arguments[0]), int(arguments[1]))
    words = arguments[2] if len(arguments) > 2 else "wrong"
    found = shrink(program, lambda p: is_like(p, words))
    judgement = judge(found)
    print(render(found))  # noqa: T201
    for line in (judgement.verdict, *judgement.faults, *judgement.reasons, *judgement.evidence):
        print(f"// {line}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
