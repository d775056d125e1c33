"""Memory byte by byte, at known addresses, with values that need not be known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import builtin
from xdsl.ir import Attribute

from verify.refine.events import Place
from verify.refine.terms import Interner, known
from verify.semantics.types import UnsupportedError, element_of

BYTE = builtin.i8


@dataclass(frozen=True, slots=True)
class Cell:
    """Byte `index` of a value of type `kind` in memory."""

    value: Any
    kind: Attribute
    index: int

    def key(self) -> Any:
        """What the byte holds, as part of a key."""
        return known(self.value), str(self.kind), self.index


@dataclass(slots=True)
class Cells:
    """What a run has written so far; what it has not holds what it held first.

    `epoch` counts what may have written everywhere. `origin` is the part of an address that is
    not a number, of which a memory has one; it is part of what bytes there are called.
    """

    interner: Interner
    written: dict[Any, dict[int, Cell]] = field(default_factory=dict)
    origin: dict[Any, Any] = field(default_factory=dict)
    whole: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    epoch: int = 0

    def copy(self) -> Cells:
        """The same content, apart from this one."""
        written = {memory: dict(cells) for memory, cells in self.written.items()}
        return Cells(self.interner, written, self.origin, self.whole, self.epoch)

    def first_byte(self, place: Place) -> int:
        """The known part of an address; where it starts from is one place a memory."""
        address = place.address
        number = address if isinstance(address, int) else address.constant
        origin = address - number
        if self.origin.setdefault(place.memory, origin) != origin:
            raise UnsupportedError("an address that depends on data")
        return number

    def read(self, memory: Any, first: int, kind: Attribute) -> Any:
        """The value of a type at some bytes."""
        size = element_of(kind).size
        cells = self.written.get(memory, {})
        start = cells.get(first)
        if start is not None and start.kind == kind and start.index == 0:
            rest = (cells.get(first + k) for k in range(1, size))
            if all(c == Cell(start.value, kind, k) for k, c in enumerate(rest, start=1)):
                return start.value
        parts = tuple(self.part(memory, first + k) for k in range(size))
        value = self.interner.symbol(("bytes", parts), kind)
        self.whole[known(value), kind] = parts
        return value

    def part(self, memory: Any, byte: int) -> Any:
        """What one byte holds, as part of a key; alike where it is the same."""
        cell = self.written.get(memory, {}).get(byte)
        if cell is None:
            return self._initial(memory, byte)
        parts = self.whole.get((known(cell.value), cell.kind))
        return cell.key() if parts is None else parts[cell.index]

    def _initial(self, memory: Any, byte: int) -> Any:
        return "initial", memory, self.epoch, self.origin.get(memory), byte

    def write(self, memory: Any, first: int, value: Any, kind: Attribute) -> None:
        """Overwrite the bytes of one value."""
        cells = self.written.setdefault(memory, {})
        for k in range(element_of(kind).size):
            cells[first + k] = Cell(value, kind, k)

    def forget(self) -> None:
        """Something may have written everywhere."""
        self.written.clear()
        self.epoch += 1

    def content(self, memory: Any) -> tuple[Any, ...]:
        """The bytes of a memory that are not what they were first."""
        found: list[Any] = []
        for byte in sorted(self.written.get(memory, {})):
            part = self.part(memory, byte)
            if part != self._initial(memory, byte):
                found.append((byte, part))
        return tuple(found)

    def differing(self, other: Cells) -> Iterator[tuple[Any, int, Attribute]]:
        """Where two memories differ: each place with the type of a value that lies there."""
        for memory in {**self.written, **other.written}:
            ours, theirs = self.written.get(memory, {}), other.written.get(memory, {})
            covered: set[int] = set()
            for byte in sorted(ours.keys() | theirs.keys()):
                cells = [c for c in (ours.get(byte), theirs.get(byte)) if c is not None]
                if byte in covered or (len(cells) == 2 and cells[0].key() == cells[1].key()):
                    continue
                kind = next((c.kind for c in cells if c.index == 0), BYTE)
                covered.update(range(byte, byte + element_of(kind).size))
                yield memory, byte, kind
