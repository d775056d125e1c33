"""Functions to differentiate, as text: checkpointed loops over `f64` memory, in small numbers.

Views and buffers captured together, loops in loops, branches, local memory and all schedules. All
indices stay inside, and values stay near 1, so that finite differences tell something.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

SIZE = 4
TYPE = f"memref<{SIZE}xf64>"
_DEPTH = 3


@dataclass(slots=True)
class _Scope:
    """What a block can name: memories with their types and sizes, numbers, indices in bounds."""

    memories: dict[str, tuple[str, int]]
    values: list[str]
    places: list[str] = field(default_factory=lambda: ["%c0", "%c1"])
    depth: int = 0

    def inner(self) -> _Scope:
        """The scope of a region in it."""
        return _Scope(dict(self.memories), [*self.values], [*self.places], self.depth + 1)


def build(draw: random.Random) -> str:
    """Draw one program."""
    return _Writer(draw).function()


def render(program: str) -> str:
    """The program, which is text already."""
    return program


class _Writer:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.count = 0

    def function(self) -> str:
        """One function of one or two buffers and a number, with a number for its result."""
        buffers = ["%a", "%b"][: self.draw.randint(1, 2)]
        scope = _Scope(dict.fromkeys(buffers, (TYPE, SIZE)), ["%x"])
        given = ", ".join(f"{name}: {TYPE}" for name in buffers)
        body: list[str] = []
        for _ in range(self.draw.randint(0, 2)):
            body += self.draw.choice([self._view, self._view, self._local])(scope)
        for _ in range(self.draw.randint(1, 2)):
            body += self._loop(scope, is_checkpointed=True)
        constants = [f"%c{i} = arith.constant {i} : index" for i in range(SIZE + 1)]
        lines = [
            f"func.func @f({given}, %x: f64, %at: index) -> f64 {{",
            *constants,
            "%half = arith.constant 5.0e-01 : f64",
            "%place = arith.remui %at, %c2 : index",
            *body,
            f"return {scope.values[-1]} : f64",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _view(self, scope: _Scope) -> list[str]:
        source = self.draw.choice([m for m, (_, size) in scope.memories.items() if size == SIZE])
        kind, name = scope.memories[source][0], self._name("v")
        if kind != TYPE:
            return []
        first = self.draw.choice(["0", "1", "2", "%place"])
        stride = self.draw.choice([1, 1, 2]) if first in ("0", "1") else 1
        offset = {"0": "", "%place": ", offset: ?"}.get(first, f", offset: {first}")
        made = f"memref<2xf64, strided<[{stride}]{offset}>>"
        scope.memories[name] = (made, 2)
        return [f"{name} = memref.subview {source}[{first}] [2] [{stride}] : {TYPE} to {made}"]

    def _local(self, scope: _Scope) -> list[str]:
        name, how = self._name("m"), self.draw.choice(["alloc", "alloca"])
        value = self.draw.choice(scope.values)
        scope.memories[name] = (TYPE, SIZE)
        stores = [f"memref.store {value}, {name}[%c{i}] : {TYPE}" for i in range(SIZE)]
        return [f"{name} = memref.{how}() : {TYPE}", *stores]

    def _loop(self, scope: _Scope, *, is_checkpointed: bool) -> list[str]:
        name, inner = self._name("i"), scope.inner()
        top = self.draw.choice([2, 3, SIZE])
        if top <= 2:
            inner.places.append(name)
        inner.values.append(f"{name}_s")
        body = self._block(inner, self.draw.randint(1, 4))
        kind = self.draw.choice(["scf", "scf", "scf", "affine"])
        first, step = self.draw.choices([(0, 1), (1, 1), (0, 2)], [18, 1, 1])[0]
        head = {
            "scf": f"scf.for {name} = %c{first} to %c{top} step %c{step}",
            "affine": f"affine.for {name} = {first} to {top} step {step}",
        }[kind]
        marks = self._marks() if is_checkpointed else ""
        if self.draw.random() < 0.15:
            body = [line.replace(f"{name}_s", "%x") for line in body]
            return [f"{head} {{", *body, f"}}{marks}"]
        start, last = self.draw.choice(scope.values), inner.values[-1]
        scope.values.append(f"{name}_r")
        given = f"iter_args({name}_s = {start}) -> (f64)"
        return [f"{name}_r = {head} {given} {{", *body, f"{kind}.yield {last} : f64", f"}}{marks}"]

    def _marks(self) -> str:
        period = self.draw.choice([2, 2, 3])
        more = self.draw.choice(
            [
                "",
                f", enzyme.checkpoint_period = {period}",
                f", enzyme.checkpoint_period = {period}, enzyme.binomial_checkpointing",
            ]
        )
        return f" {{enzyme.enable_checkpointing = true{more}}}"

    def _block(self, scope: _Scope, most: int) -> list[str]:
        lines = self._load(scope)
        for _ in range(most):
            ways = [self._load, self._store, self._store, self._combine, self._combine]
            if scope.depth < _DEPTH:
                ways += [self._if, self._nested, self._view]
            lines += self.draw.choice(ways)(scope)
        return lines

    def _nested(self, scope: _Scope) -> list[str]:
        return self._loop(scope, is_checkpointed=self.draw.random() < 0.5)

    def _load(self, scope: _Scope) -> list[str]:
        memory, kind = self._memory(scope)
        name = self._name("y")
        scope.values.append(name)
        return [f"{name} = memref.load {memory}[{self._place(scope)}] : {kind}"]

    def _store(self, scope: _Scope) -> list[str]:
        memory, kind = self._memory(scope)
        return [f"memref.store {self._value(scope)}, {memory}[{self._place(scope)}] : {kind}"]

    def _combine(self, scope: _Scope) -> list[str]:
        """A number from two, kept small."""
        name, a, b = self._name("z"), self._value(scope), self._value(scope)
        scope.values.append(name)
        op = self.draw.choice(["mulf", "mulf", "addf", "subf"])
        if op == "mulf":
            return [f"{name} = arith.mulf {a}, {b} : f64"]
        return [
            f"{name}_t = arith.{op} {a}, {b} : f64",
            f"{name} = arith.mulf {name}_t, %half : f64",
        ]

    def _if(self, scope: _Scope) -> list[str]:
        name, place = self._name("w"), self._place(scope)
        if self.draw.random() < 0.15:
            test = "affine.if affine_set<()[s0] : (s0 - 1 >= 0)>()[%place] {"
            return [test, *self._block(scope.inner(), 2), "}"]
        then, other = scope.inner(), scope.inner()
        lines = [f"{name}_p = arith.cmpi eq, {place}, %place : index"]
        body = self._block(then, 2)
        if self.draw.random() < 0.5:
            return [*lines, f"scf.if {name}_p {{", *body, "}"]
        rest = self._block(other, 2)
        scope.values.append(name)
        ends = [f"scf.yield {s.values[-1]} : f64" for s in (then, other)]
        head = f"{name} = scf.if {name}_p -> (f64) {{"
        return [*lines, head, *body, ends[0], "} else {", *rest, ends[1], "}"]

    def _memory(self, scope: _Scope) -> tuple[str, str]:
        name = self.draw.choice(list(scope.memories))
        return name, scope.memories[name][0]

    def _value(self, scope: _Scope) -> str:
        return self.draw.choice(scope.values[-4:])

    def _place(self, scope: _Scope) -> str:
        return self.draw.choice([*scope.places, "%place"])

    def _name(self, letter: str) -> str:
        self.count += 1
        return f"%{letter}{self.count}"
