"""Programs with asynchronous GPU work, most of them correct or wrong in one place.

`build` draws from a `random.Random`; `programs` is the same as a Hypothesis strategy. The builder
knows, roughly, which work is still pending and which tokens speak for it; it makes every op depend
on what it needs, and now and then, by the danger of the program, forgets one dependency or takes
the wrong token.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from fuzz.strategies import token_syntax as s
from fuzz.strategies.token_ops import COUNTER_END, SIZE, OpBuilder
from fuzz.strategies.token_scopes import Body, Pending, Scope


def build(draw: random.Random) -> s.Program:
    """Draw one program."""
    return Builder(draw).program()


@st.composite
def programs(draw: st.DrawFn) -> s.Program:
    """A strategy of programs."""
    return build(draw(st.randoms(use_true_random=False, note_method_calls=False)))


class Builder(OpBuilder):
    """Draws one program."""

    def do_execute(self, scope: Scope, body: Body) -> None:
        self.execute(scope, body)

    def execute(self, scope: Scope, body: Body) -> str:
        deps = self.some(scope.of_type(s.TASK), 2)
        inner = scope.inner()
        inner.is_task = True
        operands = self.unwrapped(scope, inner)
        for name in (*deps, *(o for o, _ in operands)):
            inner.known |= scope.covers[name]
        start = len(self.pending)
        inside = self.block(inner)
        yields, results = self.results_of_task(inner, inside, start)
        token = self.name("a")
        names = [s.Name(self.name("av"), k) for k in results]
        body.append(
            s.Execute(token, tuple(deps), operands, tuple(inside), tuple(names), tuple(yields))
        )
        scope.types[token], scope.covers[token] = s.TASK, inner.known
        for name, value in zip(names, yields, strict=True):
            scope.types[name.name] = s.value_type(str(name.type))
            scope.covers[name.name] = inner.known
            if name.type == s.TOKEN:
                scope.inside[name.name] = inner.covers[value] | inner.known
        return token

    def unwrapped(self, scope: Scope, inner: Scope) -> tuple[tuple[str, str], ...]:
        operands: list[tuple[str, str]] = []
        values = [n for n in scope.types if s.inner_type(scope.types[n])]
        for value in self.some(values, 2):
            name = self.name("w")
            kind = s.inner_type(scope.types[value]) or ""
            inner.types[name] = kind
            if kind == s.TOKEN:
                inner.covers[name] = scope.inside.get(value, scope.covers[value])
            operands.append((value, name))
        return tuple(operands)

    def results_of_task(
        self, inner: Scope, inside: Body, start: int
    ) -> tuple[list[str], list[str]]:
        """What a task hands on: a token for its device work unless it waits for that."""
        yields: list[str] = []
        if self.flip(50):
            yields.append(self.settled_token(inner, inside, start))
        else:
            self.settle(inner, inside, start)
        floats = [n for n in inner.of_type("f32") if n.startswith("x")]
        if floats and self.flip(50):
            yields.append(floats[-1])
        return yields, [str(inner.types[n]) for n in yields]

    def open_since(self, scope: Scope, start: int) -> set[int]:
        return {p.number for p in self.pending[start:]} - scope.known

    def settle(self, scope: Scope, body: Body, start: int) -> None:
        """Wait for all work since `start`, or nearly all."""
        names = self.speakers(scope, self.open_since(scope, start), body, wants_tasks=True)
        for name in names:
            if not self.errs():
                self.block_on(scope, name, body)

    def settled_token(
        self, scope: Scope, body: Body, start: int, also: set[int] | None = None
    ) -> str:
        """A token for all work since `start`, or for nearly all."""
        tokens = scope.tokens()
        if tokens and self.errs():
            return self.draw.choice(tokens)
        names = self.speakers(scope, self.open_since(scope, start) | (also or set()), body)
        if len(names) == 1:
            return names[0]
        if not names and tokens and self.flip(40):
            return tokens[-1]
        return self.join(scope, body, names)

    # Control flow

    def do_branch(self, scope: Scope, body: Body) -> None:
        conditions = scope.of_type("i1")
        is_graph = scope.is_flat and self.flip(80)
        count = self.weighted({0: 4, 1: 4, 2: 1})
        then, other = scope.inner(is_flat=is_graph), scope.inner(is_flat=is_graph)
        start = len(self.pending)
        first, first_yields = self.branch_body(then, count, start, is_empty=False)
        middle = len(self.pending)
        is_missing = self.flip(50) and (count == 0 or is_graph)
        second, second_yields = self.branch_body(other, count, middle, is_empty=is_missing)
        is_missing = is_missing and not second
        results = [s.Name(self.name("r"), s.TOKEN) for _ in range(count)]
        body.append(
            s.If(
                self.draw.choice(conditions),
                tuple(first),
                None if is_missing else tuple(second),
                tuple(results),
                tuple(first_yields),
                tuple(second_yields),
                is_graph,
            )
        )
        mine = frozenset(range(start, middle))
        theirs = frozenset(range(middle, len(self.pending)))
        scope.known |= (then.known | theirs) & (other.known | mine)
        for result, a, b in zip(results, first_yields, second_yields, strict=True):
            scope.types[result.name] = s.TOKEN
            left = then.covers[a] | then.known | theirs
            scope.covers[result.name] = left & (other.covers[b] | other.known | mine)

    def branch_body(
        self, scope: Scope, count: int, start: int, *, is_empty: bool
    ) -> tuple[Body, list[str]]:
        if not count:
            inside = [] if is_empty else self.block(scope, most=2)
            self.settle(scope, inside, start)
            return inside, []
        inside = [] if is_empty else self.block(scope, least=0, most=2)
        first = self.settled_token(scope, inside, start)
        more = [self.draw.choice(scope.tokens()) for _ in range(count - 1)]
        return inside, [first, *more]

    def do_loop(self, scope: Scope, body: Body) -> None:
        kinds = {"for": 5, "while": 2}
        is_graph = scope.is_flat and self.flip(80)
        if is_graph:
            kinds = {"head": 3, "tail": 2}
        kind = self.weighted(kinds)
        is_direct = kind in ("head", "tail") and self.flip(40)
        groups = self.chains(self.weighted({0: 3, 1: 5, 2: 2}))
        inner = scope.inner(is_flat=is_graph)
        carried, wild = self.carried(scope, inner, body, groups)
        if is_direct and kind == "head":
            carried = [s.Carried(c.name, c.type, c.initial, c.name) for c in carried]
        counter = self.name("i")
        inner.types[counter] = "index"
        start = len(self.pending)
        before: Body = []
        if kind in ("head", "while") and self.flip(20):
            self.in_head(inner, before, sees_names=kind == "head")
        inside = self.block(inner)
        yields = self.loop_yields(inner, inside, start, carried, wild)
        body.append(
            s.Loop(
                kind,
                counter,
                self.trips(scope, 2 if is_graph else 0),
                tuple(carried),
                tuple(inside),
                tuple(yields),
                tuple(before),
                is_direct,
            )
        )
        if is_direct and kind == "tail":
            for name in [n for n in inner.types if n not in scope.types and n != counter]:
                self.leave(scope, inner, name)
        else:
            self.after_loop(scope, carried, groups, start)
        if not carried:
            scope.known |= frozenset(range(start, len(self.pending)))

    def trips(self, scope: Scope, least: int = 0) -> int | str:
        names = [n for n in scope.of_type("index") if n.startswith("n")]
        return self.draw.choice(names) if self.flip(75) else self.draw.randint(least, COUNTER_END)

    def chains(self, count: int) -> list[frozenset[str]]:
        """The roots that each carried token speaks for."""
        if count == 0:
            return []
        if count == 1:
            return [frozenset(self.roots)]
        part = frozenset(self.some(self.roots, 2))
        return [part, frozenset(self.roots) - part]

    def carried(
        self, scope: Scope, inner: Scope, body: Body, groups: Sequence[frozenset[str]]
    ) -> tuple[list[s.Carried], list[int]]:
        """Carried tokens; each speaks for the work of earlier iterations on its roots."""
        found: list[s.Carried] = []
        wild: list[int] = []
        for group in groups:
            initial = self.initial_token(scope, body)
            value = s.Carried(self.name("k"), s.TOKEN, initial, self.name("r"))
            number = len(self.pending)
            self.pending.append(Pending(number, group, frozenset(range(SIZE)), is_write=True))
            scope.known |= {number}
            inner.types[value.name] = s.TOKEN
            inner.covers[value.name] = frozenset([number])
            found.append(value)
            wild.append(number)
        return found, wild

    def initial_token(self, scope: Scope, body: Body) -> str:
        tokens = scope.tokens()
        if tokens and self.flip(60):
            return self.draw.choice(tokens[-3:])
        return self.join(scope, body)

    def loop_yields(
        self,
        inner: Scope,
        inside: Body,
        start: int,
        carried: Sequence[s.Carried],
        wild: Sequence[int],
    ) -> list[str]:
        if not carried:
            self.settle(inner, inside, start)
            return []
        yields: list[str] = []
        for value, number in zip(carried, wild, strict=True):
            if self.errs():
                yields.append(value.name if self.flip(60) else self.draw.choice(inner.tokens()))
                continue
            roots = self.pending[number].roots
            mine = {n for n in self.open_since(inner, start) if self.pending[n].roots <= roots}
            if value is carried[-1]:
                mine |= {
                    n
                    for n in self.open_since(inner, start)
                    if not any(self.pending[n].roots <= self.pending[w].roots for w in wild)
                }
            mine |= {number} - inner.known
            names = self.speakers(inner, mine, inside)
            yields.append(names[0] if len(names) == 1 else self.join(inner, inside, names))
        return yields

    def after_loop(
        self,
        scope: Scope,
        carried: Sequence[s.Carried],
        groups: Sequence[frozenset[str]],
        start: int,
    ) -> None:
        for value, group in zip(carried, groups, strict=True):
            scope.types[value.result] = s.TOKEN
            mine = {p.number for p in self.pending[start:] if p.roots <= group}
            if value is carried[-1]:
                mine |= {
                    p.number for p in self.pending[start:] if not any(p.roots <= g for g in groups)
                }
            scope.covers[value.result] = frozenset(mine)

    def leave(self, scope: Scope, inner: Scope, name: str) -> None:
        """Let a value that a block defines be used after it."""
        scope.types[name] = inner.types[name]
        if name in inner.parts:
            scope.parts[name] = inner.parts[name]
        if name in inner.covers:
            scope.covers[name] = inner.covers[name]
        if name in inner.inside:
            scope.inside[name] = inner.inside[name]

    def in_head(self, inner: Scope, before: Body, *, sees_names: bool) -> None:
        """Work in the part of a loop that decides; without danger it leaves no token behind."""
        given = inner if sees_names else inner.inner()
        start = len(self.pending)
        self.statement(given, before)
        if not sees_names:
            self.settle(given, before, start)
            inner.known |= given.known

    def do_tangle(self, scope: Scope, body: Body) -> None:
        """A cycle with two entries."""
        if not scope.is_flat:
            self.do_loop(scope, body)
            return
        groups = [frozenset(self.roots)]
        first_scope, second_scope = scope.inner(is_flat=True), scope.inner(is_flat=True)
        carried, wild = self.carried(scope, first_scope, body, groups)
        other = self.name("k")
        second_scope.types[other] = s.TOKEN
        second_scope.covers[other] = frozenset(wild)
        counter = self.name("i")
        start = len(self.pending)
        first = self.block(first_scope, most=2)
        yields = self.loop_yields(first_scope, first, start, carried, wild)
        second_scope.covers[other] |= frozenset(range(start, len(self.pending)))
        second = self.block(second_scope, most=2)
        inner = [s.Carried(other, s.TOKEN, "", "")]
        second_yields = self.loop_yields(second_scope, second, start, inner, wild)
        body.append(
            s.Tangle(
                self.draw.choice(scope.of_type("i1")),
                counter,
                self.trips(scope, 2),
                tuple(carried),
                (other,),
                tuple(first),
                tuple(yields),
                tuple(second),
                tuple(second_yields),
            )
        )
        self.after_loop(scope, carried, groups, start)

    def do_group_loop(self, scope: Scope, body: Body) -> None:
        """A task an iteration, all of them in a group that is awaited after the loop."""
        group = self.name("group")
        trips = self.trips(scope)
        body.append(s.NewGroup(group, trips))
        inner = scope.inner()
        counter = self.name("i")
        inner.types[counter] = "index"
        start = len(self.pending)
        inside: Body = []
        self.depth += 1
        task = self.execute(inner, inside)
        self.depth -= 1
        inside.append(s.Add(task, group))
        body.append(s.Loop("for", counter, trips, (), tuple(inside), ()))
        if not self.errs():
            body.append(s.AwaitAll(group))
            scope.known |= frozenset(range(start, len(self.pending)))
