"""Programs with checkpointed loops over overlapping and nearly overlapping views.

`build` draws from a `random.Random`; `programs` is the same as a Hypothesis strategy. The knobs
aim at both sides of the line: captures that overlap and are written through one and read
through another, and near misses (halves, lanes, values written before they are read).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from fuzz.strategies import syntax as s
from fuzz.strategies.checkpointed_views import Scope, ViewMaker

CARRYING = ("scf.for", "scf.while", "affine.for")
LOOPS = {
    "scf.for": 10,
    "scf.while": 3,
    "affine.for": 3,
    "scf.parallel": 2,
    "scf.forall": 1,
    "affine.parallel": 2,
}


def build(draw: random.Random) -> s.Program:
    """Draw one program."""
    return Builder(draw).program()


@st.composite
def programs(draw: st.DrawFn) -> s.Program:
    """A strategy of programs."""
    return build(draw(st.randoms(use_true_random=False, note_method_calls=False)))


class Builder(ViewMaker):
    """Draws the function, its statements and its loops."""

    # The function

    def program(self) -> s.Program:
        """Draw a function."""
        scope = Scope()
        for name, kind in (("n", "index"), ("m", "index"), ("s", "index"), ("p", "i1")):
            self.parameters.append(s.Parameter(name, kind))
        scope.indices = {"n": None, "m": None}
        scope.affine = {"n", "m"}
        for element in ("f32", "f64"):
            self.parameters.append(s.Parameter(f"x{element}", element))
            scope.scalars[f"x{element}"] = element
        body = self.buffers(scope)
        self.focus = self.draw.choice(list(scope.memories))
        body += self.views(scope, self.draw.randint(0, 4) if self.scenario != "inside" else 0)
        for _ in range(self.weighted({1: 3, 2: 1})):
            body += self.loop(scope, is_checkpointed=True)
            if self.flip(20):
                body += self.views(scope, 1)
        return s.Program(tuple(self.parameters), tuple(body), tuple(self.globals))

    def buffers(self, scope: Scope) -> list[s.Stmt]:
        made: list[s.Stmt] = []
        for _ in range(self.draw.randint(1, 3)):
            kind = self.buffer_type()
            name = self.name("b")
            if self.flip(65):
                self.parameters.append(s.Parameter(name, kind))
            elif self.flip(80):
                made += self.alloc(scope, name, kind)
            else:
                made.append(self.global_(name, kind))
            self.add(scope, name, self.made_type(made, name, kind), name)
        return made

    def made_type(self, made: Sequence[s.Stmt], name: str, kind: s.MemType) -> s.MemType:
        """A global has a static type."""
        for statement in made:
            if isinstance(statement, s.GetGlobal) and statement.name == name:
                return statement.type
        return kind

    def global_(self, name: str, kind: s.MemType) -> s.Stmt:
        fixed = replace(kind, shape=tuple(d or 6 for d in kind.shape))
        symbol = self.name("g")
        self.globals.append((symbol, fixed))
        return s.GetGlobal(name, symbol, fixed)

    def alloc(self, scope: Scope, name: str, kind: s.MemType) -> list[s.Stmt]:
        sizes = tuple(s.Const(self.draw.randint(3, 8)) for d in kind.shape if d is None)
        value = s.Mix(kind.element, (), s.Const(self.draw.randint(0, 3)))
        return [s.Alloc(name, kind, sizes), s.Fill(value, name)]

    def buffer_type(self) -> s.MemType:
        element = self.weighted({"f32": 8, "f64": 2, "i32": 3, "i8": 3, "index": 1})
        if element == "i8":
            return s.MemType(element, (self.draw.choice([None, 16, 24, 8]),))
        if self.flip(25):
            dims = [None if self.flip(25) else self.draw.randint(2, 4) for _ in range(2)]
            return s.MemType(element, tuple(dims))
        return s.MemType(element, (None if self.flip(35) else self.draw.randint(2, 9),))

    # Indices and values

    def place(self, scope: Scope, memory: str) -> tuple[s.Ix, ...]:
        """Indices into a memref, mostly in bounds."""
        kind = scope.memories[memory]
        return tuple(self.index(scope, memory, d, size) for d, size in enumerate(kind.shape))

    def index(self, scope: Scope, memory: str, dimension: int, size: s.Dim) -> s.Ix:
        counters = [n for n in scope.indices if n[0] in "ik"] or list(scope.indices)
        name = self.draw.choice(counters)
        var, below = s.Var(name), scope.indices[name]
        if size is None:
            return self.open_index(memory, dimension, var)
        if self.flip(25):
            return s.Const(self.draw.randint(0, size - 1))
        if below is not None and below <= size:
            return self.fitting(var, below, size)
        if below is None and self.flip(50):
            return var
        return s.Bin("rem", self.draw.choice([var, s.Bin("add", var, s.Const(1))]), s.Const(size))

    def fitting(self, var: s.Var, below: int, size: int) -> s.Ix:
        """An index that stays below `size` when `var` stays below `below`."""
        choices: list[s.Ix] = [var, var, s.Bin("sub", s.Const(size - 1), var)]
        if below < size:
            choices += [s.Bin("add", var, s.Const(self.draw.randint(1, size - below)))] * 2
        if 2 * (below - 1) < size:
            choices.append(s.Bin("mul", var, s.Const(2)))
        if 2 * (below - 1) + 1 < size:
            choices.append(s.Bin("add", s.Bin("mul", var, s.Const(2)), s.Const(1)))
        choices.append(s.Bin("rem", s.Bin("add", var, s.Const(1)), s.Const(size)))
        return self.draw.choice(choices)

    def open_index(self, memory: str, dimension: int, var: s.Var) -> s.Ix:
        """An index into a dimension whose size is not known."""
        last = s.Bin("sub", s.DimOf(memory, dimension), s.Const(1))
        return self.draw.choice(
            [
                s.Const(0),
                s.Const(self.draw.randint(0, 2)),
                var,
                var,
                s.Bin("add", var, s.Const(1)),
                s.Bin("mul", var, s.Const(2)),
                s.Bin("sub", last, var),
                s.Bin("rem", var, s.Const(2)),
                last,
            ]
        )

    def value(self, scope: Scope, element: str) -> s.Mix:
        """A value to store, mostly of something that was loaded."""
        known = [n for n, kind in scope.scalars.items() if kind == element]
        parts = tuple(
            self.draw.sample(known[-4:], min(len(known), self.weighted({1: 6, 2: 2, 0: 1})))
        )
        counters = [n for n in scope.indices if n[0] == "i"]
        bias: s.Ix = s.Const(self.draw.randint(1, 5))
        if counters and self.flip(35):
            bias = s.Bin("add", s.Var(self.draw.choice(counters)), bias)
        return s.Mix(element, parts, bias)

    # Statements

    def load(self, scope: Scope, memory: str, indices: tuple[s.Ix, ...] | None = None) -> s.Stmt:
        kind = scope.memories[memory]
        where = indices or self.place(scope, memory)
        if kind.element in ("i32", "index") and self.flip(50):
            name = self.name("k")
            bound = self.weighted({0: 1, 2: 1, 3: 2, 4: 1})
            scope.indices[name] = bound or 4
            return s.LoadIndex(name, memory, where, bound)
        name = self.name("y")
        scope.scalars[name] = kind.element
        return s.Load(name, memory, where, self.is_affine(scope, where))

    def store(self, scope: Scope, memory: str, indices: tuple[s.Ix, ...] | None = None) -> s.Stmt:
        where = indices or self.place(scope, memory)
        value = self.value(scope, scope.memories[memory].element)
        return s.Store(value, memory, where, self.is_affine(scope, where))

    def is_affine(self, scope: Scope, indices: Sequence[s.Ix]) -> bool:
        return self.flip(50) and all(is_affine(i, scope.affine) for i in indices)

    def usable(self, scope: Scope) -> Scope:
        """The scope, without the memrefs that the scenario leaves alone."""
        if self.scenario != "single" or self.depth == 0:
            return scope
        one: dict[str, str] = {}
        for name in reversed(scope.memories):
            one.setdefault(self.roots[name], name)
        kept = {n: k for n, k in scope.memories.items() if n in one.values()}
        return Scope(kept, scope.indices, scope.scalars, scope.affine)

    def statements(self, scope: Scope, number: int) -> list[s.Stmt]:
        made: list[s.Stmt] = []
        for _ in range(number):
            made += self.statement(self.usable(scope) if self.scenario == "single" else scope)
        return made

    def statement(self, scope: Scope) -> list[s.Stmt]:
        """One statement, or a few that belong together."""
        makers: dict[Any, int] = {self.load_some: 7, self.store_some: 7, self.copy: 1, self.fill: 1}
        makers[self.view_inside] = 8 if self.scenario == "inside" else 2
        makers[self.both] = 6 if self.scenario == "first" else 2
        makers[self.if_] = 2
        if self.depth < 3:
            makers[self.plain_loop] = 1
        if self.depth < 2:
            makers[self.checkpointed_loop] = 1
        if self.globals:
            makers[self.global_inside] = 4
        makers[self.alloc_inside] = 1
        return self.weighted(makers)(scope)

    def load_some(self, scope: Scope) -> list[s.Stmt]:
        return [self.load(scope, self.memory(scope))]

    def store_some(self, scope: Scope) -> list[s.Stmt]:
        if self.scenario == "readonly":
            return self.load_some(scope)
        return [self.store(scope, self.memory(scope))]

    def both(self, scope: Scope) -> list[s.Stmt]:
        """A write and a read of one place, through one memref or two of one shape."""
        memory = self.memory(scope)
        kind = scope.memories[memory]
        where = self.place(scope, memory)
        other = memory
        if self.flip(50):
            other = self.memory(scope, lambda k: len(k.shape) == len(kind.shape))
        if self.scenario == "readonly":
            return [self.load(scope, memory, where)]
        stored = self.store(scope, memory, where)
        return [stored, self.load(scope, other, where)]

    def copy(self, scope: Scope) -> list[s.Stmt]:
        source = self.memory(scope)
        kind = scope.memories[source]

        def fits(other: s.MemType) -> bool:
            return other.element == kind.element and other.shape == kind.shape

        target = self.memory(scope, fits)
        is_alike = target and self.roots[target] == self.roots[source] and self.flip(80)
        if target == source or is_alike or self.scenario == "readonly":
            return self.load_some(scope)
        return [s.Copy(source, target)]

    def fill(self, scope: Scope) -> list[s.Stmt]:
        if self.scenario == "readonly":
            return self.load_some(scope)
        memory = self.memory(scope)
        return [s.Fill(self.value(scope, scope.memories[memory].element), memory)]

    def view_inside(self, scope: Scope) -> list[s.Stmt]:
        """A view that the body makes, and a use of it."""
        made = self.choose(scope) if self.flip(15) else self.view(scope, self.memory(scope))
        name = list(scope.memories)[-1]
        is_read = self.scenario == "readonly" or self.flip(50)
        return [*made, self.load(scope, name) if is_read else self.store(scope, name)]

    def global_inside(self, scope: Scope) -> list[s.Stmt]:
        """Memory that no capture leads to."""
        symbol, kind = self.draw.choice(self.globals)
        name = self.name("b")
        self.add(scope, name, kind, symbol)
        made: list[s.Stmt] = [s.GetGlobal(name, symbol, kind)]
        if self.flip(70):
            made.append(self.load(scope, name))
        if self.scenario != "readonly" and self.flip(50):
            made.append(self.store(scope, name))
        return made

    def alloc_inside(self, scope: Scope) -> list[s.Stmt]:
        name, kind = self.name("b"), self.buffer_type()
        made = self.alloc(scope, name, kind)
        self.add(scope, name, kind, name)
        return [*made, self.load(scope, name)]

    def if_(self, scope: Scope) -> list[s.Stmt]:
        condition = self.condition(scope)
        then = self.statements(scope.inner(), self.draw.randint(1, 2))
        other = self.statements(scope.inner(), 1) if self.flip(30) else []
        return [s.If(condition, tuple(then), tuple(other))]

    # Loops

    def plain_loop(self, scope: Scope) -> list[s.Stmt]:
        return self.loop(scope, is_checkpointed=False)

    def checkpointed_loop(self, scope: Scope) -> list[s.Stmt]:
        return self.loop(scope, is_checkpointed=True)

    def loop(self, scope: Scope, *, is_checkpointed: bool) -> list[s.Stmt]:
        kind = self.weighted(LOOPS) if is_checkpointed else self.draw.choice(CARRYING[::2])
        counter = self.name("i")
        low, high, step, below = self.bounds(scope, kind)
        carried = self.carried(scope) if kind in CARRYING and is_checkpointed else ()
        self.depth += 1
        inner = scope.inner()
        inner.indices[counter] = below
        for value in carried:
            self.enter(inner, value)
        before = self.before(inner.inner()) if kind == "scf.while" else []
        if kind.startswith("affine"):
            inner.affine.add(counter)
        most = 6 if self.depth == 1 else 3
        body = self.statements(inner, self.draw.randint(1, most))
        yields = tuple(self.handed_on(inner, carried, i) for i in range(len(carried)))
        self.depth -= 1
        for value in carried:
            self.leave(scope, value)
        return [
            s.Loop(
                kind, counter, low, high, step, tuple(body), is_checkpointed, carried, yields,
                tuple(before),
            )
        ]  # fmt: skip

    def bounds(self, scope: Scope, kind: str) -> tuple[s.Ix, s.Ix, s.Ix, int | None]:
        """Low, high, step, and a bound that the counter stays below if it is known."""
        is_affine = kind.startswith("affine")
        low = s.Const(self.weighted({0: 7, 1: 2}))
        step: s.Ix = s.Const(self.weighted({1: 8, 2: 2, 3: 1}))
        if not is_affine and self.flip(10):
            step = s.Var("s")
        if self.flip(50):
            limit = self.draw.randint(2, 5 if self.depth == 0 else 3)
            return low, s.Const(limit), step, limit
        high: s.Ix = s.Var(self.draw.choice(["n", "n", "n", "m"]))
        if not is_affine and self.flip(20):
            name = self.memory(scope)
            high = s.DimOf(name, 0)
        return low, high, step, None

    def before(self, scope: Scope) -> list[s.Stmt]:
        """What an `scf.while` does before its condition."""
        return self.statements(scope, 1) if self.flip(30) else []

    def carried(self, scope: Scope) -> tuple[s.Carried, ...]:
        """Floats, one memref, or two memrefs to swap."""
        found: list[s.Carried] = []
        if self.flip(25):
            initial = self.draw.choice([n for n, k in scope.scalars.items() if k[0] == "f"])
            kind = scope.scalars[initial]
            found.append(s.Carried(self.name("a"), kind, initial, self.name("a")))
        if self.flip(12):
            first = self.memory(scope)
            kind = scope.memories[first]
            names = [first]
            if self.flip(60):
                names.append(self.memory(scope, lambda k: k == kind))
            found += [s.Carried(self.name("v"), kind, n, self.name("v")) for n in names]
        return tuple(found)

    def enter(self, scope: Scope, value: s.Carried) -> None:
        if isinstance(value.type, s.MemType):
            self.add(scope, value.name, value.type, self.roots[value.initial])
        else:
            scope.scalars[value.name] = value.type

    def leave(self, scope: Scope, value: s.Carried) -> None:
        if isinstance(value.type, s.MemType):
            self.add(scope, value.result, value.type, self.roots[value.initial])
        else:
            scope.scalars[value.result] = value.type

    def handed_on(self, scope: Scope, carried: Sequence[s.Carried], at: int) -> str:
        """What a carried value becomes: itself, its neighbour, or something of the body."""
        value = carried[at]
        if isinstance(value.type, s.MemType):
            same = [c.name for c in carried if c.type == value.type]
            if self.flip(80):
                return same[(same.index(value.name) + 1) % len(same)]
            return self.draw.choice([n for n, k in scope.memories.items() if k == value.type])
        return self.draw.choice([n for n, k in scope.scalars.items() if k == value.type][-3:])


def is_affine(ix: s.Ix, dims: set[str]) -> bool:
    """Whether an expression may stand in an affine map over some dimensions and symbols."""
    match ix:
        case s.Const():
            return True
        case s.Var(name):
            return name in dims
        case s.Bin("add" | "sub", left, right):
            return is_affine(left, dims) and is_affine(right, dims)
        case s.Bin("mul" | "rem", s.Var(name), s.Const()):
            return name in dims
        case _:
            return False
