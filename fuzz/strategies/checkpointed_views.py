"""Draws views of memrefs: windows, lines, casts, reshapes, choices, and pairs that lie apart."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from fuzz.strategies import syntax as s

T = TypeVar("T")

SCENARIOS = {
    "danger": 7,
    "apart": 4,
    "first": 3,
    "readonly": 1,
    "inside": 2,
    "single": 2,
}
"""`apart` makes disjoint views, `first` writes before it reads, `single` captures one value."""


@dataclass(slots=True)
class Scope:
    """The values that may be used at a point: memrefs, indices below a bound, scalars."""

    memories: dict[str, s.MemType] = field(default_factory=dict)
    indices: dict[str, int | None] = field(default_factory=dict)
    scalars: dict[str, str] = field(default_factory=dict)
    affine: set[str] = field(default_factory=set)

    def inner(self) -> Scope:
        """A scope for a region: what it gains is not seen outside."""
        return Scope(dict(self.memories), dict(self.indices), dict(self.scalars), set(self.affine))


class ViewMaker:
    """Draws values of one program; `roots` maps each memref to the buffer that it was made from."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.number = 0
        self.parameters: list[s.Parameter] = []
        self.globals: list[tuple[str, s.MemType]] = []
        self.roots: dict[str, str] = {}
        self.scenario = self.weighted(SCENARIOS)
        self.focus = ""
        self.depth = 0

    # Drawing

    def weighted(self, weights: dict[T, int]) -> T:
        """A key, as often as its weight says."""
        return self.draw.choice([key for key, weight in weights.items() for _ in range(weight)])

    def flip(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.draw.randint(0, 99) < percent

    def name(self, letter: str) -> str:
        """A new name."""
        self.number += 1
        return f"{letter}{self.number}"

    def add(self, scope: Scope, name: str, kind: s.MemType, root: str) -> None:
        scope.memories[name] = kind
        self.roots[name] = root

    # Views

    def views(self, scope: Scope, number: int) -> list[s.Stmt]:
        made: list[s.Stmt] = []
        for _ in range(number):
            if self.flip(15):
                made += self.choose(scope)
            elif self.scenario == "apart" and self.flip(80):
                made += self.apart(scope)
            else:
                made += self.view(scope, self.memory(scope))
        return made

    def memory(self, scope: Scope, wanted: Callable[[s.MemType], bool] | None = None) -> str:
        """A memref, rather one of the buffer in focus; empty when there is none."""
        names = [n for n, k in scope.memories.items() if wanted is None or wanted(k)]
        near = [n for n in names if self.roots[n] == self.roots[self.focus]]
        if near and self.flip(75):
            names = near
        return self.draw.choice(names) if names else ""

    def define(self, scope: Scope, view: s.View) -> list[s.Stmt]:
        kind = s.result_type(view, scope.memories[view.source])
        self.add(scope, view.name, kind, self.roots[view.source])
        return [view]

    def view(self, scope: Scope, source: str) -> list[s.Stmt]:
        """One view of a memref."""
        kind = scope.memories[source]
        name = self.name("v")
        maker = self.weighted(self.makers(kind))
        return self.define(scope, maker(scope, name, source, kind))

    def makers(self, kind: s.MemType) -> dict[Any, int]:
        """What can be made of a memref of a type."""
        makers: dict[Any, int] = {self.window: 8, self.cast: 2, self.reinterpret: 4}
        is_static = None not in kind.shape
        if kind.element == "i8" and kind.layout is None and len(kind.shape) == 1:
            makers[self.view_bytes] = 8
        if len(kind.shape) == 2:
            makers[self.transpose] = 2
            makers[self.line] = 5
            if kind.layout is None and is_static:
                makers[self.collapse] = 3
        elif is_static and kind.shape[0] in (4, 6, 8, 9) and None not in s.strides_of(kind):
            makers[self.expand] = 2
        return makers

    def window(self, scope: Scope, name: str, source: str, kind: s.MemType) -> s.View:
        dims = [self.window_of(scope, source, d, size) for d, size in enumerate(kind.shape)]
        offsets, sizes, strides = zip(*dims, strict=True)
        return s.Subview(name, source, offsets, sizes, strides, tuple(range(len(dims))))

    def window_of(
        self, scope: Scope, source: str, dimension: int, size: s.Dim
    ) -> tuple[int | s.Ix, int | s.Ix, int | s.Ix]:
        """Offset, size and stride in one dimension."""
        if size is None:
            return self.open_window(scope, source, dimension)
        stride = self.weighted({1: 8, 2: 4, 3: 1})
        offset = self.draw.randint(0, size - 1)
        most = (size - 1 - offset) // stride + 1
        length: int | s.Ix = most if self.flip(50) else self.draw.randint(1, most)
        if self.flip(6):
            return offset, offset // stride + 1, -stride
        moved: int | s.Ix = offset
        if self.flip(20):
            moved = self.small(scope)
            length = self.draw.randint(1, max(1, size // 2))
            stride = 1
        if self.flip(10):
            length = self.small(scope)
        return moved, length, stride

    def open_window(
        self, scope: Scope, source: str, dimension: int
    ) -> tuple[int | s.Ix, int | s.Ix, int | s.Ix]:
        """A window into a dimension whose size is not known."""
        whole = s.DimOf(source, dimension)
        half = s.Bin("div", whole, s.Const(2))
        return self.draw.choice(
            [
                (0, whole, 1),
                (0, half, 1),
                (half, half, 1),
                (0, half, 2),
                (1, half, 2),
                (self.small(scope), self.draw.randint(1, 3), 1),
                (self.small(scope), self.small(scope), 1),
                (self.draw.randint(0, 2), self.draw.randint(1, 3), self.draw.randint(1, 2)),
                (0, self.draw.randint(1, 3), s.Var("s")),
            ]
        )

    def small(self, scope: Scope) -> s.Ix:
        """An index that is known at run time only, mostly a small one."""
        name = self.draw.choice(list(scope.indices))
        return s.Var(name) if self.flip(70) else s.Bin("rem", s.Var(name), s.Const(3))

    def line(self, scope: Scope, name: str, source: str, kind: s.MemType) -> s.View:
        """A row or a column."""
        kept = self.draw.randint(0, 1)
        other = 1 - kept
        size = kind.shape[other]
        at: int | s.Ix = self.small(scope)
        if self.flip(60):
            at = self.draw.randint(0, (size or 2) - 1)
        offsets: list[int | s.Ix] = [0, 0]
        sizes: list[int | s.Ix] = [1, 1]
        offsets[other] = at
        whole = kind.shape[kept]
        sizes[kept] = s.DimOf(source, kept) if whole is None else whole
        return s.Subview(name, source, tuple(offsets), tuple(sizes), (1, 1), (kept,))

    def cast(self, scope: Scope, name: str, source: str, kind: s.MemType) -> s.View:
        if self.flip(50):
            return s.Cast(name, source, loosest(kind))
        shape = tuple(None if self.flip(60) else d for d in kind.shape)
        if kind.layout is None and shape != kind.shape and len(shape) > 1:
            shape = (None, *kind.shape[1:])
        return s.Cast(name, source, replace(kind, shape=shape))

    def reinterpret(self, scope: Scope, name: str, source: str, kind: s.MemType) -> s.View:
        """A flat view from the base pointer; sometimes wider than its source."""
        total = 1
        for size in kind.shape:
            total *= size or 4
        if self.flip(40) and s.offset_of(kind) is not None:
            total += self.draw.randint(0, 3)
        offset: int | s.Ix = s.offset_of(kind) or 0
        if self.flip(30):
            offset = self.small(scope) if self.flip(40) else self.draw.randint(0, total - 1)
        room = max(1, total - (offset if isinstance(offset, int) else 1))
        stride = self.weighted({1: 8, 2: 3})
        size = max(1, (self.draw.randint(1, room) - 1) // stride + 1)
        if isinstance(offset, int) and self.flip(8):
            return s.Reinterpret(name, source, offset, (offset + 1,), (-1,))
        return s.Reinterpret(name, source, offset, (size,), (stride,))

    def view_bytes(self, scope: Scope, name: str, source: str, kind: s.MemType) -> s.View:
        element = self.weighted({"f32": 5, "i32": 2, "i8": 1, "f64": 1})
        size = s.SIZES[element]
        total = kind.shape[0] or 8
        most = max(1, total // size)
        number = self.draw.randint(1, most)
        room = max(0, total - number * size)
        shift: s.Ix = s.Const(self.draw.randint(0, room // 4) * 4)
        if self.flip(15):
            shift = s.Const(self.draw.randint(0, room))
        elif self.flip(20):
            shift = s.Bin("mul", self.small(scope), s.Const(size))
        shape: tuple[int | s.Ix, ...] = (self.small(scope),) if self.flip(20) else (number,)
        return s.ViewBytes(name, source, shift, element, shape)

    def collapse(self, scope: Scope, name: str, source: str, kind: s.MemType) -> s.View:
        return s.Collapse(name, source)

    def expand(self, scope: Scope, name: str, source: str, kind: s.MemType) -> s.View:
        size = kind.shape[0] or 4
        left = self.draw.choice([d for d in (2, 3, 4) if size % d == 0])
        return s.Expand(name, source, (left, size // left))

    def transpose(self, scope: Scope, name: str, source: str, kind: s.MemType) -> s.View:
        return s.Transpose(name, source)

    def apart(self, scope: Scope) -> list[s.Stmt]:
        """Two views of one memref that share nothing: halves, lanes, rows or columns."""
        source = self.memory(scope, lambda k: all(d is None or d >= 2 for d in k.shape))
        if not source:
            return self.view(scope, self.memory(scope))
        kind = scope.memories[source]
        axis = self.draw.randint(0, len(kind.shape) - 1)
        made: list[s.Stmt] = []
        is_lanes = self.flip(50)
        for side in range(2):
            numbers: list[tuple[int | s.Ix, int | s.Ix, int]] = [
                (0, _whole(source, d, n), 1) for d, n in enumerate(kind.shape)
            ]
            numbers[axis] = _part(source, axis, kind.shape[axis], side, is_lanes=is_lanes)
            offsets, sizes, strides = zip(*numbers, strict=True)
            kept = tuple(range(len(numbers)))
            name = self.name("v")
            made += self.define(scope, s.Subview(name, source, offsets, sizes, strides, kept))
        return made

    def choose(self, scope: Scope) -> list[s.Stmt]:
        """One of two memrefs; casts give them one type where they have none in common."""
        first = self.memory(scope)
        kind = scope.memories[first]
        second = self.memory(
            scope, lambda k: k.element == kind.element and len(k.shape) == len(kind.shape)
        )
        made: list[s.Stmt] = []
        pair = [first, second]
        if scope.memories[second] != kind:
            for i, name in enumerate(pair):
                if scope.memories[name] != loosest(kind):
                    pair[i] = self.name("v")
                    made += self.define(scope, s.Cast(pair[i], name, loosest(kind)))
        name = self.name("v")
        made.append(s.Choose(name, self.condition(scope), *pair, is_branch=self.flip(40)))
        self.add(scope, name, scope.memories[pair[0]], self.roots[first])
        return made

    def condition(self, scope: Scope) -> s.Condition:
        counters = [name for name in scope.indices if name[0] == "i"]
        if counters and self.flip(60):
            left: s.Ix = s.Var(self.draw.choice(counters))
            if self.flip(60):
                left = s.Bin("rem", left, s.Const(2))
                return s.Compare("eq", left, s.Const(self.draw.randint(0, 1)))
            return s.Compare(self.draw.choice(["slt", "sge"]), left, s.Const(2))
        return s.Flag("p") if self.flip(60) else s.Compare("slt", s.Var("m"), s.Const(2))


def loosest(kind: s.MemType) -> s.MemType:
    """The type of the same rank that says nothing."""
    rank = len(kind.shape)
    return s.MemType(kind.element, (None,) * rank, s.Layout((None,) * rank, None))


def _whole(source: str, dimension: int, size: s.Dim) -> int | s.Ix:
    return s.DimOf(source, dimension) if size is None else size


def _part(
    source: str, dimension: int, size: s.Dim, side: int, *, is_lanes: bool
) -> tuple[int | s.Ix, int | s.Ix, int]:
    """One of two parts of a dimension: a half, or every second element."""
    half = s.Bin("div", s.DimOf(source, dimension), s.Const(2)) if size is None else size // 2
    if is_lanes:
        return side, half, 2
    return (half if side else 0), half, 1
