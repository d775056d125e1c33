"""The function that is being drawn: the statements so far, and the values that are visible."""

from __future__ import annotations

import random
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.conformance.native.literals import SCALARS, draw_bits, literal
from tests.conformance.native.program import Block, Statement


@dataclass(frozen=True, slots=True)
class Memref:
    """A memref value: what its type says, and what is so; `None` is what is not known.

    `strides` and `offset` count elements from the base pointer; `below` and `above` are the bytes
    of its buffer in front of and behind the base pointer.
    """

    name: str
    element: str
    sizes: tuple[int, ...]
    strides: tuple[int | None, ...]
    offset: int | None
    typed_sizes: tuple[int | None, ...]
    typed_strides: tuple[int | None, ...] | None = None
    typed_offset: int | None = 0
    space: str = ""
    below: int | None = None
    above: int | None = None

    @property
    def kind(self) -> str:
        """The text of its type."""
        dims = "".join(f"{_or_dynamic(d)}x" for d in self.typed_sizes)
        layout = ""
        if self.typed_strides is not None:
            strides = ", ".join(_or_dynamic(s) for s in self.typed_strides)
            offset = "" if self.typed_offset == 0 else f", offset: {_or_dynamic(self.typed_offset)}"
            layout = f", strided<[{strides}]{offset}>"
        space = f", {self.space}" if self.space else ""
        return f"memref<{dims}{self.element}{layout}{space}>"

    @property
    def known_strides(self) -> tuple[int | None, ...]:
        """The strides that its type tells, those of the identity layout included."""
        if self.typed_strides is not None:
            return self.typed_strides
        found: list[int | None] = []
        running: int | None = 1
        for size in reversed(self.typed_sizes):
            found.append(running)
            running = None if running is None or size is None else running * size
        return tuple(reversed(found))


def _or_dynamic(number: int | None) -> str:
    return "?" if number is None else str(number)


@dataclass(frozen=True, slots=True)
class Pointer:
    """An LLVM pointer: the bytes of its buffer behind it."""

    name: str
    room: int


@dataclass(slots=True)
class Scope:
    """The values that are visible at one place; `affine` are those that affine ops may use."""

    values: dict[str, list[str]] = field(default_factory=dict)
    memrefs: list[Memref] = field(default_factory=list)
    pointers: list[Pointer] = field(default_factory=list)
    affine: list[str] = field(default_factory=list)

    def inner(self) -> Scope:
        """A scope inside this one."""
        values = {kind: list(names) for kind, names in self.values.items()}
        return Scope(values, list(self.memrefs), list(self.pointers), list(self.affine))


@dataclass(frozen=True, slots=True)
class Callee:
    """A function that can be called: what it takes and gives, scalars only."""

    name: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]


class Draft:
    """See the module."""

    def __init__(self, draw: random.Random, prefix: str, budget: int) -> None:
        self.draw = draw
        self.prefix = prefix
        self.budget = budget
        self.scope = Scope()
        self.prelude: dict[str, str] = {}
        self.lines: list[Statement] = []
        self.inexact: list[tuple[str, str, str]] = []
        self.callees: list[Callee] = []
        self.globals: list[str] = []
        self.heap: list[Memref] = []
        self.is_stateful = False
        self.has_backwards = False
        self.depth = 0
        self.count = 0

    # Choices

    def chance(self, percent: int) -> bool:
        """True that often."""
        return self.draw.randrange(100) < percent

    def kind(self, *of: Collection[str]) -> str:
        """A scalar type, of any kind or of some."""
        return self.draw.choice([k for part in of or (list(SCALARS),) for k in part])

    def value(self, kind: str) -> str:
        """A visible value of a scalar type, the newest often; or a constant."""
        names = self.scope.values.get(kind, [])
        if not names or self.chance(12):
            return self.constant(kind, draw_bits(self.draw, kind))
        return names[-1] if self.chance(30) else self.draw.choice(names)

    def constant(self, kind: str, bits: int) -> str:
        """The name of a constant, which stands at the top of the function."""
        text = f"arith.constant {literal(bits % (1 << SCALARS[kind]), kind)}"
        for name, known in self.prelude.items():
            if known == text:
                return name
        name = self.fresh("c")
        self.prelude[name] = text
        return name

    def index(self, number: int) -> str:
        """An `index` constant."""
        return self.constant("index", number)

    def below(self, limit: int) -> str:
        """An index in `[0, limit)`: a constant, or a computed one that is brought into it."""
        if limit <= 1 or self.chance(25):
            return self.index(self.draw.randrange(max(1, limit)))
        if self.chance(3):
            return self.value("index")
        return self.quiet(f"arith.remui {self.value('index')}, {self.index(limit)} : index")

    # Statements

    def fresh(self, letter: str = "v") -> str:
        """A name that is not used yet."""
        self.count += 1
        return f"%{letter}{self.count}"

    def quiet(self, text: str) -> str:
        """Write an op with one result that is not offered to others."""
        name = self.fresh()
        self.lines.append(Statement((f"{name} = {text}",)))
        return name

    def put(self, text: str, kind: str) -> str:
        """Write an op with one scalar result, visible from here on."""
        name = self.fresh()
        self.lines.append(Statement((f"{name} = {text}",), ((name, kind),)))
        self.show(name, kind)
        return name

    def do(self, text: str) -> None:
        """Write an op without results."""
        self.lines.append(Statement((text,)))

    def show(self, name: str, kind: str) -> None:
        """Make a scalar visible."""
        self.scope.values.setdefault(kind, []).append(name)

    @contextmanager
    def block(self, *given: tuple[str, str]) -> Generator[list[Statement]]:
        """Statements of an inner region, which sees the scalars in `given` as well."""
        outer, scope = self.lines, self.scope
        self.lines, self.scope = [], scope.inner()
        self.depth += 1
        for name, kind in given:
            self.show(name, kind)
        try:
            yield self.lines
        finally:
            self.lines, self.scope = outer, scope
            self.depth -= 1

    def whole(self, parts: Sequence[str | list[Statement]], *results: tuple[str, str]) -> None:
        """Write an op with regions, whose scalar results become visible."""
        frozen: tuple[str | Block, ...] = tuple(
            p if isinstance(p, str) else tuple(p) for p in parts
        )
        self.lines.append(Statement(frozen, results))
        for name, kind in results:
            self.show(name, kind)
