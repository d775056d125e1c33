"""What a drawn kernel has at one place: values by type, and memory that it may use.

Integers are of any width up to 64 bits; a memory's `sizes` are its real ones, also where its type
leaves them open.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

INTEGERS = ("i8", "i16", "i32", "i64")
ODD = ("i5", "i24", "i48")
FLOATS = ("f16", "bf16", "f32", "f64")
IN_MEMORY = ("i1", *INTEGERS, *INTEGERS, *ODD, *FLOATS, *FLOATS, "index")
DYNAMIC = "?"
SPECIAL = {
    "f16": ("0x7C00", "0xFC00", "0x7E00", "0x0001", "65504.0"),
    "bf16": ("0x7F80", "0xFF80", "0x7FC0", "0x0001", "3.0e+38"),
    "f32": ("0x7F800000", "0xFF800000", "0x7FC00000", "0x00000001", "3.0e+38"),
    "f64": ("0x7FF0000000000000", "0x7FF8000000000000", "0x0000000000000001", "1.0e+300"),
}
"""Infinities, a NaN, and what is hardly or just in range."""


def bits_of(kind: str) -> int:
    """The bits of an integer, index or float type."""
    return {"index": 64, "bf16": 16}.get(kind) or int(kind[1:])


@dataclass(frozen=True, slots=True)
class Memory:
    """A memref: `shape`, `strides` and `offset` as its type writes them, `strides` unless dense.

    `is_own` tells that its base is the memory's beginning, `scope` in which loop it was made.
    """

    name: str
    element: str
    sizes: tuple[int, ...]
    shape: tuple[str, ...]
    strides: tuple[str, ...] | None = None
    offset: str = "0"
    space: str = ""
    is_written: bool = True
    is_own: bool = False

    @property
    def type(self) -> str:
        """The memref type."""
        shape = "".join(f"{s}x" for s in self.shape)
        layout = ""
        if self.strides is not None:
            offset = "" if self.offset == "0" else f", offset: {self.offset}"
            layout = f", strided<[{', '.join(self.strides)}]{offset}>"
        return f"memref<{shape}{self.element}{layout}{self.space}>"

    @property
    def steps(self) -> tuple[str, ...]:
        """The strides, also of a dense memref; an unknown one is `?`."""
        if self.strides is not None:
            return self.strides
        found: list[str] = []
        running: int | None = 1
        for size in reversed(self.shape):
            found.insert(0, DYNAMIC if running is None else str(running))
            running = None if running is None or size == DYNAMIC else running * int(size)
        return tuple(found)


def dense(name: str, element: str, sizes: Sequence[int], space: str = "") -> Memory:
    """A memref with the identity layout and static sizes."""
    return Memory(name, element, tuple(sizes), tuple(str(s) for s in sizes), space=space)


@dataclass(slots=True)
class Scope:
    """Values by type, memories, and bare pointers (to 32 bytes of one integer type)."""

    values: dict[str, list[str]] = field(default_factory=dict)
    memories: list[Memory] = field(default_factory=list)
    pointers: list[tuple[str, str]] = field(default_factory=list)

    def inner(self) -> Scope:
        """A scope inside this one."""
        values = {kind: list(names) for kind, names in self.values.items()}
        return replace(
            self, values=values, memories=list(self.memories), pointers=list(self.pointers)
        )

    def add(self, kind: str, name: str) -> str:
        """Make a value visible; its name."""
        self.values.setdefault(kind, []).append(name)
        return name


class Drawing:
    """Draws and writes lines of MLIR. `is_exact` keeps to what IEEE 754 fixes bit for bit."""

    def __init__(self, draw: random.Random, *, is_exact: bool) -> None:
        self.draw = draw
        self.is_exact = is_exact
        self.lines: list[str] = []
        self.count = 0
        self.constants: set[str] = set()
        self.left = draw.choice((6, 12, 24))

    def pick(self, *options: str) -> str:
        """One of some words."""
        return self.draw.choice(options)

    def fresh(self) -> str:
        """A name that is not used yet."""
        self.count += 1
        return f"%v{self.count}"

    def put(self, text: str) -> str:
        """Write an op with one result; its name."""
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self, number: int | str, kind: str = "index") -> str:
        """A constant."""
        word = ("true" if number else "false") if kind == "i1" else f"{number} : {kind}"
        name = self.put(f"arith.constant {word}")
        self.constants.add(name)
        return name

    def value(self, scope: Scope, kind: str) -> str:
        """A value of a type; a constant where there is none, and now and then elsewhere."""
        known = scope.values.get(kind, [])
        if known and self.draw.random() < 0.85:
            return self.draw.choice([*known, *known[-3:]])
        return scope.add(kind, self.constant(self.literal(kind), kind))

    def literal(self, kind: str) -> int | str:
        """A number of a type, often one at the edge."""
        if kind in FLOATS:
            return self.pick(
                "0.0", "-0.0", "1.0", "-1.5", "3.25", "1.0e-7", "-2.5", "0.1", *SPECIAL[kind]
            )
        if kind == "i1":
            return self.draw.randrange(2)
        high = (1 << (bits_of(kind) - 1)) - 1
        drawn = self.draw.randint(0, high)
        return self.draw.choice((0, 1, 2, 3, 7, -1, -2, high, -high - 1, drawn))

    def integer(self, scope: Scope, *, also: Sequence[str] = ()) -> str:
        """An integer type that is likely to have values."""
        known = [k for k in scope.values if k not in FLOATS and k != "i1"]
        return self.draw.choice([*known, "index", "i32", *also])

    def number_type(self, scope: Scope) -> str:
        """Any scalar type."""
        return self.draw.choice([*(k for k in scope.values), *INTEGERS, *FLOATS, "index", "i1"])

    def float_type(self, scope: Scope) -> str:
        """A float type."""
        return self.draw.choice([*(k for k in scope.values if k in FLOATS), *FLOATS])

    def below(self, scope: Scope, limit: int) -> str:
        """An index less than `limit`."""
        if self.draw.random() < 0.2:
            return self.constant(self.draw.randrange(limit))
        size = self.constant(limit)
        return self.put(f"arith.remui {self.value(scope, 'index')}, {size} : index")
