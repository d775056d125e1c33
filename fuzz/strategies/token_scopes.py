"""What a builder of token programs knows at a place: names, pending work, and who speaks for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from fuzz.strategies import token_syntax as s

Body = list[s.Statement]
Touch = tuple[str, frozenset[int], bool]
"""Memory that an op touches: root, elements, whether it writes."""


@dataclass(frozen=True, slots=True)
class Pending:
    """Work that may still run; `roots` of `None` stand for work of earlier iterations."""

    number: int
    roots: frozenset[str]
    elements: frozenset[int]
    is_write: bool

    def meets(self, touch: Touch) -> bool:
        """Whether an op that touches this must wait."""
        root, elements, is_write = touch
        is_conflict = self.is_write or is_write
        return is_conflict and root in self.roots and bool(self.elements & elements)


Numbers = frozenset[int]
NOTHING: Numbers = frozenset()


@dataclass(slots=True)
class Scope:
    """What may be used at a point, and what each token speaks for.

    `covers` maps tokens and asynchronous values to pending work; `inside` maps asynchronous
    values to what the token in them speaks for; `known` is what the task has waited for.
    """

    types: dict[str, s.Type] = field(default_factory=dict)
    parts: dict[str, tuple[str, frozenset[int]]] = field(default_factory=dict)
    covers: dict[str, Numbers] = field(default_factory=dict)
    inside: dict[str, Numbers] = field(default_factory=dict)
    known: Numbers = NOTHING
    is_task: bool = False
    is_flat: bool = False

    def inner(self, *, is_flat: bool = False) -> Scope:
        """A scope for a region: what it gains is not seen outside."""
        copies = (dict(self.types), dict(self.parts), dict(self.covers), dict(self.inside))
        return Scope(*copies, self.known, self.is_task, is_flat and self.is_flat)

    def of_type(self, kind: s.Type) -> list[str]:
        """Values of one type, the newest last."""
        return [n for n, t in self.types.items() if t == kind]

    def memories(self, space: str | None = None) -> dict[str, s.MemType]:
        """The memrefs, perhaps of one space."""
        return {
            n: t
            for n, t in self.types.items()
            if isinstance(t, s.MemType) and space in (None, t.space)
        }

    def tokens(self) -> list[str]:
        """GPU tokens."""
        return self.of_type(s.TOKEN)

    def tasks(self) -> list[str]:
        """What `async.await` takes."""
        return [n for n, t in self.types.items() if t == s.TASK or s.inner_type(t)]
