"""What may have changed memory so far, and which of it a load sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verify.refine.events import Path, Place
from verify.semantics import term as t

if TYPE_CHECKING:
    from verify.refine.normal import NormalMachine


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that may have changed memory: one place, some memories, or (`None`) any."""

    id: Path
    place: Place | None
    kind: str | None
    value: Any
    memories: set[Any] | None = None


def are_apart(m: NormalMachine, a: Any, b: Any) -> bool:
    """Whether two memories share no byte; arguments by assumption."""
    if a == b:
        return False
    kinds = {a[0], b[0]}
    if kinds & {"unknown", "loaded", "open"}:
        return False
    if "alloc" in kinds or kinds == {"global"}:
        return True
    if m.may_alias:
        return False
    m.assumed_no_alias = True
    return True


def _separation(m: NormalMachine, a: Place, b: Place) -> str:
    """`same`, `apart` or `open` for two places."""
    if a.memory != b.memory:
        return "apart" if are_apart(m, a.memory, b.memory) else "open"
    distance = a.address - b.address
    if isinstance(distance, int):
        if distance == 0 and a.size == b.size:
            return "same"
        return "apart" if distance >= b.size or distance <= -a.size else "open"
    low, high = t.interval(distance)
    if (low is not None and low >= b.size) or (high is not None and high <= -a.size):
        return "apart"
    return "open"


@dataclass(slots=True)
class _Group:
    """Effects on one memory by their numbers: all, those at unknown places, the last at others."""

    every: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    at: dict[int, int] = field(default_factory=dict)
    widest: int = 1

    def add(self, number: int, place: Place | None) -> None:
        self.every.append(number)
        if place is None or not isinstance(place.address, int):
            self.unknown.append(number)
        else:
            self.at[place.address] = number
            self.widest = max(self.widest, place.size)

    def near(self, place: Place | None) -> Iterator[int]:
        """Those that may be on bytes of `place`, of one address only the last."""
        if place is None or not isinstance(place.address, int):
            yield from reversed(self.every)
            return
        first = place.address - self.widest + 1
        beside = (self.at.get(a, -1) for a in range(first, place.address + place.size))
        yield from sorted([n for n in beside if n >= 0], reverse=True)
        yield from reversed(self.unknown)


class History:
    """What has happened in a scope, in order, and by the memories that it may have changed."""

    def __init__(self, effects: Iterable[Effect] = ()) -> None:
        self.effects: list[Effect] = []
        self.groups: dict[Any, _Group] = {}
        for effect in effects:
            self.append(effect)

    def append(self, effect: Effect) -> None:
        """Add what happened last."""
        memories = {effect.place.memory} if effect.place is not None else effect.memories
        for memory in [_ANY] if memories is None else memories:
            self.groups.setdefault(memory, _Group()).add(len(self.effects), effect.place)
        self.effects.append(effect)

    def last(self, m: NormalMachine, memory: Any, place: Place | None = None) -> Effect | None:
        """The last effect that may have changed a memory, or bytes of one place in it."""
        best = -1
        for other, group in self.groups.items():
            if other is not _ANY and are_apart(m, other, memory):
                continue
            for number in group.near(place if other == memory else None):
                if number > best and self._counts(m, self.effects[number], place):
                    best = number
        return self.effects[best] if best >= 0 else None

    def _counts(self, m: NormalMachine, effect: Effect, place: Place | None) -> bool:
        return (
            place is None or effect.place is None or _separation(m, effect.place, place) != "apart"
        )


_ANY = object()


def last_write(m: NormalMachine, place: Place, kind: str) -> tuple[Path | str, Any]:
    """The effect that a load sees, and its value where that is known."""
    for scope in reversed(m.scopes):
        effect = scope.history.last(m, place.memory, place)
        if effect is not None:
            is_same = effect.place is not None and _separation(m, effect.place, place) == "same"
            return effect.id, effect.value if is_same and effect.kind == kind else None
    return "entry", None


def last_effect_on(m: NormalMachine, memory: Any) -> Path | str:
    """The last effect that may have touched a memory."""
    for scope in reversed(m.scopes):
        effect = scope.history.last(m, memory)
        if effect is not None:
            return effect.id
    return "entry"
