"""Happens-before, as what is known to be complete.

An *event* is asynchronous work: a GPU op with a token, or the host part of an `async.execute`
region. `Done` says, at one point or once a token is ready, which events are complete. Loops are
covered by a greatest fixpoint, so nothing is unrolled.

An event that was not issued on a path is complete on it; `issued` tells which ones were.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.ir import Operation

from verify.model.done import ALL, Done


@dataclass(frozen=True, slots=True)
class Token:
    """What is complete once the token is ready, as of `time` in the log of issues.

    `may` are the events that it may speak for at all. A token from outside may also speak for
    work that is not known here.
    """

    done: Done
    time: int
    home: object = None
    is_known: bool = True
    may: int = 0


@dataclass(frozen=True, slots=True)
class AsyncValue:
    """A value that is there once its token is ready."""

    token: Token
    value: Any


@dataclass(frozen=True, slots=True)
class Frozen:
    """A token at the end of a path, before paths are joined."""

    done: Done
    is_known: bool = True
    may: int = 0


@dataclass(frozen=True, slots=True)
class Path:
    """The state at the end of a path: what the host knows, and what was issued."""

    host: Done
    issued: int
    groups: tuple[tuple[object, Done], ...] = ()

    def left(self, events: int) -> Path:
        """The state after a loop that may have issued `events`, where it ends here."""
        groups = tuple((group, done.left(events)) for group, done in self.groups)
        return Path(self.host.left(events), self.issued, groups)


@dataclass(eq=False, slots=True)
class Event:
    """One source of asynchronous work; `kind` is `device`, `task` or `stream`."""

    op: Operation
    kind: str
    index: int


@dataclass(eq=False, slots=True)
class Graph:
    """A region with a cycle: its blocks with their successors and the events that each issues.

    `begin` is where the current block begins in the log, `ends` where the blocks before it end.
    """

    successors: dict[object, tuple[object, ...]]
    events: dict[object, int]
    begin: int = 0
    ends: dict[object, int] = field(default_factory=dict)
    known: dict[tuple[object, object], tuple[object, ...]] = field(default_factory=dict)

    def between(self, start: object, end: object) -> int:
        """Events that may be issued on the way from one block to another, without passing the
        first again; from outside the region when `start` is not one of its blocks.
        """
        if (start, end) not in self.known:
            self.known[start, end] = tuple(self._blocks_between(start, end))
        return sum_of(self.events[block] for block in self.known[start, end])

    def is_repeated(self, block: object) -> bool:
        """Whether control can come back to a block."""
        return block in self.successors and block in self._reach(self.successors[block], None)

    def _blocks_between(self, start: object, end: object) -> list[object]:
        first = self.successors[start] if start in self.successors else tuple(self.successors)
        reached = self._reach(first, start)
        return [
            block
            for block in self.successors
            if block is not start
            and block in reached
            and end in self._reach(self.successors[block], start)
        ]

    def _reach(self, begin: tuple[object, ...], avoided: object) -> set[object]:
        found: set[object] = set()
        waiting = [b for b in begin if b is not avoided]
        while waiting:
            block = waiting.pop()
            if block not in found:
                found.add(block)
                waiting.extend(b for b in self.successors[block] if b is not avoided)
        return found


def sum_of(masks: Iterable[int]) -> int:
    """The union of sets of events."""
    found = 0
    for mask in masks:
        found |= mask
    return found


@dataclass(slots=True)
class Order:
    """The happens-before state of the symbolic machine at its current point.

    `log` holds the events that were issued again, and those of which the latest instance went on,
    in order, so that older tokens do not speak for what is newer. `touched` collects every event
    that was issued, `waited` every event that may have been waited for. `graphs` are the cyclic
    regions that the point is in; `home` is its block. `groups` tell what is complete once all of a
    group is, `after` what is complete once the latest instance of an event is. `entries` are where
    in the log the runs of the loops around the point begin; the last loop to end issued `batch`.
    """

    host: Done = field(default_factory=Done)
    issued: int = 0
    log: list[tuple[int, int]] = field(default_factory=list)
    touched: int = 0
    waited: int = 0
    events: list[Event] = field(default_factory=list)
    known: dict[tuple[object, ...], Event] = field(default_factory=dict)
    graphs: list[Graph] = field(default_factory=list)
    home: object = None
    groups: dict[object, Done] = field(default_factory=dict)
    after: dict[int, Done] = field(default_factory=dict)
    entries: list[int] = field(default_factory=list)
    batch: int = 0

    def event(self, op: Operation, kind: str, calls: Sequence[Operation]) -> Event:
        """The event of an op where these calls have led to it: another one for other calls."""
        key = (id(op), kind, *(id(call) for call in calls))
        if key not in self.known:
            self.known[key] = Event(op, kind, len(self.events))
            self.events.append(self.known[key])
        return self.known[key]

    def now(self, token: Token) -> Done:
        """What a token tells about the instances issued so far."""
        if token.time > len(self.log):
            return Done()
        if self.graphs and token.home is not self.home:
            return self._from_elsewhere(token)
        done = token.done
        bounds = [token.time, *self.entries[len(done.segments) - 1 :], len(self.log)]
        for number, start in enumerate(bounds[:-1]):
            done = done if number == 0 else done.entered()
            once, again, more = self._issues(self.log[start : bounds[number + 1]])
            if once or more:
                done = done.reissued(once).reissued(again).continued(more)
        return done

    def _from_elsewhere(self, token: Token) -> Done:
        """What a token from another block of a cyclic region tells."""
        graph = self.graphs[-1]
        end = graph.ends.get(token.home, 0)
        since = [*self.log[token.time : end], *self.log[graph.begin :]]
        once, again, more = self._issues(since)
        elsewhere = self._elsewhere(token)
        done = token.done.without(elsewhere | again)
        prior = (*done.prior[:-1], (done.prior[-1] & ~once) | (done.every & once))
        done = replace(done.continued(once | more), prior=prior)
        missing = (ALL & ~(once | more | elsewhere),) * (len(self.entries) + 1 - len(prior))
        return replace(done, segments=(*done.segments, *missing), prior=(*prior, *missing))

    def _issues(self, entries: list[tuple[int, int]]) -> tuple[int, int, int]:
        """Events issued, issued more than once, and gone on with."""
        once = again = more = 0
        for issued, continued in entries:
            again |= once & issued
            once |= issued
            more |= continued
        return once, again, more

    def _elsewhere(self, token: Token) -> int:
        """Events that other blocks of a cyclic region may have issued since the token was made."""
        if len(self.graphs) > 1:
            return sum_of(events for graph in self.graphs for events in graph.events.values())
        return self.graphs[0].between(token.home, self.home)

    def token(self, done: Done, may: int = 0) -> Token:
        """A token made now."""
        return Token(done.padded(len(self.entries) + 1), len(self.log), self.home, may=may)

    def outside_token(self) -> Token:
        """A token that was made where nothing is known."""
        return replace(self.token(Done()), is_known=False)

    def issue(self, event: Event, start: Done, *, is_repeated: bool) -> Done:
        """Issue an instance that starts when `start` is complete; what is complete after it."""
        bit = 1 << event.index
        is_first = not self.issued & bit
        if is_first:
            start = start.with_all(bit)
            self.host = self.host.with_all(bit)
            self.groups = {g: done.with_all(bit) for g, done in self.groups.items()}
        self.host = self.host.reissued(bit)
        self.groups = {g: done.reissued(bit) for g, done in self.groups.items()}
        if is_repeated or not is_first:
            self.log.append((bit, 0))
        self.issued |= bit
        self.touched |= bit
        for graph in self.graphs:
            if self.home in graph.events:
                graph.events[self.home] |= bit
        self.after[event.index] = start.reissued(bit).with_last(bit)
        return self.after[event.index]

    def go_on(self, event: Event) -> None:
        """The latest instance of an event does more; whoever thought it done does not know."""
        bit = 1 << event.index
        self.log.append((0, bit))
        self.groups = {g: done.continued(bit) for g, done in self.groups.items()}

    def enter(self) -> None:
        """A loop begins its run here."""
        self.entries.append(len(self.log))
        self.host = self.host.entered()
        self.groups = {g: done.entered() for g, done in self.groups.items()}

    def leave(self, events: int) -> None:
        """The innermost loop, which may have issued `events`, has ended its run.

        To tokens from before it, what it issued is one batch.
        """
        entry, self.batch = self.entries.pop(), events
        more = sum_of(continued for _, continued in self.log[entry:])
        del self.log[entry:]
        self.log += [(mask, other) for mask, other in ((events, 0), (0, more)) if mask or other]
        self.resume(self.path().left(events))

    def path(self) -> Path:
        """The state of the current path."""
        return Path(self.host, self.issued, tuple(self.groups.items()))

    def resume(self, path: Path) -> None:
        """Go on from a saved state."""
        self.host, self.issued, self.groups = path.host, path.issued, dict(path.groups)

    def freeze(self, value: Any) -> Any:
        """A value at the end of a path, with its tokens as they are now.

        Whoever uses a token later does so after this path, so it may tell what the host knows.
        """
        if isinstance(value, Token):
            return Frozen(self.now(value) | self.host, value.is_known, value.may)
        if isinstance(value, AsyncValue):
            return AsyncValue(self.freeze(value.token), self.freeze(value.value))
        return value

    def thaw(self, value: Any) -> Any:
        """A joined value on the path that goes on."""
        if isinstance(value, Frozen):
            return replace(self.token(value.done, value.may), is_known=value.is_known)
        if isinstance(value, AsyncValue):
            return AsyncValue(self.thaw(value.token), self.thaw(value.value))
        return value


def left(value: Any, events: int) -> Any:
    """A frozen value after a loop that may have issued `events`."""
    if isinstance(value, Frozen):
        return replace(value, done=value.done.left(events))
    if isinstance(value, AsyncValue):
        return AsyncValue(left(value.token, events), left(value.value, events))
    return value


def entered(value: Any) -> Any:
    """A frozen value where a loop begins its run."""
    if isinstance(value, Frozen):
        return replace(value, done=value.done.entered())
    if isinstance(value, AsyncValue):
        return AsyncValue(entered(value.token), entered(value.value))
    return value


def joined_path(paths: list[Path]) -> Path:
    """What holds whichever path was taken; what a path did not issue is complete on it."""
    issued = 0
    for path in paths:
        issued |= path.issued
    host = completed(paths[0].host, paths[0], issued)
    for path in paths[1:]:
        host = host & completed(path.host, path, issued)
    return Path(host, issued, _joined_groups(paths, issued))


def _joined_groups(paths: list[Path], issued: int) -> tuple[tuple[object, Done], ...]:
    """The groups that exist on every path."""
    found: dict[object, Done] = {}
    for group, done in paths[0].groups:
        others = [dict(path.groups).get(group) for path in paths[1:]]
        if any(other is None for other in others):
            continue
        joined = completed(done, paths[0], issued)
        for path, other in zip(paths[1:], others, strict=True):
            if other is not None:
                joined = joined & completed(other, path, issued)
        found[group] = joined
    return tuple(found.items())


def completed(done: Done, path: Path, issued: int) -> Done:
    """`done` at the end of `path`, with the events that only other paths issued."""
    return done.with_all(issued & ~path.issued)


def spread(value: Any, path: Path, issued: int) -> Any:
    """A frozen value with the events that only other paths issued."""
    if isinstance(value, Frozen):
        return Frozen(completed(value.done, path, issued), value.is_known, value.may)
    if isinstance(value, AsyncValue):
        return AsyncValue(spread(value.token, path, issued), spread(value.value, path, issued))
    return value


def joined_token(a: Any, b: Any) -> Any:
    """A token or asynchronous value that is one of two."""
    if isinstance(a, Frozen) and isinstance(b, Frozen):
        return Frozen(a.done & b.done, a.is_known and b.is_known, a.may | b.may)
    if isinstance(a, Token) and isinstance(b, Token):
        known = a.is_known and b.is_known
        return Token(a.done & b.done, min(a.time, b.time), is_known=known, may=a.may | b.may)
    if isinstance(a, AsyncValue) and isinstance(b, AsyncValue):
        return AsyncValue(joined_token(a.token, b.token), joined_token(a.value, b.value))
    return None
