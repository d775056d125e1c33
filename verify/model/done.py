"""What is known to be complete, as sets of events (bit masks).

The instances of an event are told apart by *segments*: those issued before the outermost loop
around the present point began its run, those issued since but before the next loop further in
began, and so on, up to those issued since the innermost one began. A token that a loop carries
speaks for one segment, and one from further out for another; only together they tell that every
instance is complete.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

Masks: TypeAlias = tuple[int, ...]

ALL = -1
"""The mask of all events."""


@dataclass(frozen=True, slots=True)
class Done:
    """Events that are complete: `segments` has a mask for each segment, outermost first.

    `last` holds those of which the latest instance is complete, or, outside the loop that issues
    them, all instances of its latest run. `prior` holds, for each segment, those of which all
    instances in it before these are.
    """

    segments: Masks = (0,)
    last: int = 0
    prior: Masks = (0,)

    @property
    def every(self) -> int:
        """Events of which every instance issued so far is complete."""
        return _common(self.segments)

    def __or__(self, other: Done) -> Done:
        if self is other or other is NOTHING:
            return self
        if len(self.segments) == len(other.segments) == 1:  # outside loops
            last, prior = self.last | other.last, self.prior[0] | other.prior[0]
            every = self.segments[0] | other.segments[0] | (last & prior)
            return Done((every,), last | every, (prior | every,))
        a, b = _alike(self, other)
        segments = tuple(x | y for x, y in zip(a.segments, b.segments, strict=True))
        prior = tuple(x | y for x, y in zip(a.prior, b.prior, strict=True))
        return _concluded(segments, a.last | b.last, prior)

    def __and__(self, other: Done) -> Done:
        a, b = _alike(self, other)
        segments = tuple(x & y for x, y in zip(a.segments, b.segments, strict=True))
        prior = tuple(x & y for x, y in zip(a.prior, b.prior, strict=True))
        return Done(segments, a.last & b.last, prior)

    def without(self, events: int) -> Done:
        """The same without some events."""
        segments = tuple(s & ~events for s in self.segments)
        return Done(segments, self.last & ~events, tuple(p & ~events for p in self.prior))

    def reissued(self, events: int) -> Done:
        """The same once another instance of some events has been issued."""
        *outer, here = self.segments
        prior = (*self.prior[:-1], (self.prior[-1] & ~events) | (here & events))
        return Done((*outer, here & ~events), self.last & ~events, prior)

    def continued(self, events: int) -> Done:
        """The same once the latest instances of some events have gone on."""
        segments = tuple(s & ~events for s in self.segments)
        return Done(segments, self.last & ~events, self.prior)

    def with_all(self, events: int) -> Done:
        """The same with all instances of some more events."""
        segments = tuple(s | events for s in self.segments)
        return Done(segments, self.last | events, tuple(p | events for p in self.prior))

    def with_last(self, events: int) -> Done:
        """The same with the latest instances of some more events."""
        return _concluded(self.segments, self.last | events, self.prior)

    def entered(self) -> Done:
        """The same where a loop begins its run: nothing has been issued since."""
        return Done((*self.segments, ALL), self.last, (*self.prior, ALL))

    def left(self, events: int) -> Done:
        """The same where a loop that may have issued `events` has ended its run."""
        *outer, before, run = self.segments
        last = (self.last & ~events) | (run & events)
        prior = (self.prior[-2] & ~events) | (before & events)
        segments = (*outer, before & (run | ~events))
        return _concluded(segments, last, (*self.prior[:-2], prior))

    def padded(self, count: int) -> Done:
        """The same with `count` segments; of those that are missing nothing is known."""
        more = (0,) * (count - len(self.segments))
        if not more:
            return self
        return replace(self, segments=(*self.segments, *more), prior=(*self.prior, *more))


NOTHING = Done()


def _common(masks: Masks) -> int:
    found = ALL
    for mask in masks:
        found &= mask
    return found


def _concluded(segments: Masks, last: int, prior: Masks) -> Done:
    """What follows from knowing all of this together: the latest, and all before it here."""
    here = segments[-1] | (last & prior[-1])
    segments = (*segments[:-1], here)
    return Done(segments, last | _common(segments), (*prior[:-1], prior[-1] | here))


def _alike(one: Done, other: Done) -> tuple[Done, Done]:
    count = max(len(one.segments), len(other.segments))
    return one.padded(count), other.padded(count)
