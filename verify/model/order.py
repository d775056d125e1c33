"""Happens-before, as what is known to be complete.

An *event* is asynchronous work: a GPU op with a token, or the host part of an `async.execute`
region. Sets of events are bit masks. `Done` says, at one point or once a token is ready, which
events are complete: `every` holds those of which every instance issued so far is, `last` those
of which the latest instance is. Loops are covered by a greatest fixpoint, so nothing is unrolled.

An event that was not issued on a path is complete on it; `issued` tells which ones were.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Operation


@dataclass(frozen=True, slots=True)
class Done:
    """Events that are complete."""

    every: int = 0
    last: int = 0

    def __or__(self, other: Done) -> Done:
        return Done(self.every | other.every, self.last | other.last)

    def __and__(self, other: Done) -> Done:
        return Done(self.every & other.every, self.last & other.last)

    def without(self, events: int) -> Done:
        """The same without some events."""
        return Done(self.every & ~events, self.last & ~events)

    def with_all(self, events: int) -> Done:
        """The same with all instances of some more events."""
        return Done(self.every | events, self.last | events)


@dataclass(frozen=True, slots=True)
class Token:
    """What is complete once the token is ready, as of `time` in the log of issues."""

    done: Done
    time: int
    home: object = None


@dataclass(frozen=True, slots=True)
class AsyncValue:
    """A value that is there once its token is ready."""

    token: Token
    value: Any


@dataclass(frozen=True, slots=True)
class Frozen:
    """A token at the end of a path, before paths are joined."""

    done: Done


@dataclass(frozen=True, slots=True)
class Path:
    """The state at the end of a path: what the host knows, and what was issued."""

    host: Done
    issued: int


@dataclass(eq=False, slots=True)
class Event:
    """One source of asynchronous work; `kind` is `device`, `task` or `stream`."""

    op: Operation
    kind: str
    index: int


@dataclass(slots=True)
class Order:
    """The happens-before state of the symbolic machine at its current point.

    `log` holds the events that were issued again, in order, so that older tokens do not speak
    for newer instances. `touched` collects every event that was issued. `graphs` are the cyclic
    regions that the point is in, with the events that each block issues; `home` is its block.
    """

    host: Done = field(default_factory=Done)
    issued: int = 0
    log: list[int] = field(default_factory=list)
    touched: int = 0
    events: list[Event] = field(default_factory=list)
    known: dict[tuple[int, str], Event] = field(default_factory=dict)
    graphs: list[dict[object, int]] = field(default_factory=list)
    home: object = None

    def event(self, op: Operation, kind: str) -> Event:
        """The event of an op."""
        key = (id(op), kind)
        if key not in self.known:
            self.known[key] = Event(op, kind, len(self.events))
            self.events.append(self.known[key])
        return self.known[key]

    def now(self, token: Token) -> Done:
        """What a token tells about the instances issued so far."""
        newer = self._elsewhere(token)
        if token.time > len(self.log):
            return Done()
        for bits in self.log[token.time :]:
            newer |= bits
        return token.done.without(newer) if newer else token.done

    def _elsewhere(self, token: Token) -> int:
        """Events that other blocks of a cyclic region may have issued since the token was made."""
        found = 0
        for blocks in self.graphs:
            if token.home is not self.home or self.home not in blocks:
                for block, events in blocks.items():
                    found |= 0 if block is token.home else events
        return found

    def token(self, done: Done) -> Token:
        """A token made now."""
        return Token(done, len(self.log), self.home)

    def issue(self, event: Event, start: Done, *, is_repeated: bool) -> Done:
        """Issue an instance that starts when `start` is complete; what is complete after it."""
        bit = 1 << event.index
        is_first = not self.issued & bit
        earlier_done = is_first or bool(start.every & bit)
        self.host = self.host.without(bit)
        if is_repeated or not is_first:
            self.log.append(bit)
        self.issued |= bit
        self.touched |= bit
        for blocks in self.graphs:
            if self.home in blocks:
                blocks[self.home] |= bit
        after = start.without(bit)
        return Done(after.every | (bit if earlier_done else 0), after.last | bit)

    def path(self) -> Path:
        """The state of the current path."""
        return Path(self.host, self.issued)

    def resume(self, path: Path) -> None:
        """Go on from a saved state."""
        self.host, self.issued = path.host, path.issued

    def freeze(self, value: Any) -> Any:
        """A value at the end of a path, with its tokens as they are now."""
        if isinstance(value, Token):
            return Frozen(self.now(value))
        if isinstance(value, AsyncValue):
            return AsyncValue(self.freeze(value.token), self.freeze(value.value))
        return value

    def thaw(self, value: Any) -> Any:
        """A joined value on the path that goes on."""
        if isinstance(value, Frozen):
            return self.token(value.done)
        if isinstance(value, AsyncValue):
            return AsyncValue(self.thaw(value.token), self.thaw(value.value))
        return value


def joined_path(paths: list[Path]) -> Path:
    """What holds whichever path was taken; what a path did not issue is complete on it."""
    issued = 0
    for path in paths:
        issued |= path.issued
    host = completed(paths[0].host, paths[0], issued)
    for path in paths[1:]:
        host = host & completed(path.host, path, issued)
    return Path(host, issued)


def completed(done: Done, path: Path, issued: int) -> Done:
    """`done` at the end of `path`, with the events that only other paths issued."""
    return done.with_all(issued & ~path.issued)


def spread(value: Any, path: Path, issued: int) -> Any:
    """A frozen value with the events that only other paths issued."""
    if isinstance(value, Frozen):
        return Frozen(completed(value.done, path, issued))
    if isinstance(value, AsyncValue):
        return AsyncValue(spread(value.token, path, issued), spread(value.value, path, issued))
    return value


def joined_token(a: Any, b: Any) -> Any:
    """A token or asynchronous value that is one of two."""
    if isinstance(a, Frozen) and isinstance(b, Frozen):
        return Frozen(a.done & b.done)
    if isinstance(a, Token) and isinstance(b, Token):
        return Token(a.done & b.done, min(a.time, b.time))
    if isinstance(a, AsyncValue) and isinstance(b, AsyncValue):
        return AsyncValue(joined_token(a.token, b.token), joined_token(a.value, b.value))
    return None
