"""A source of random choices that can be drawn again, with some stretches drawn otherwise.

Every generator of this project takes a `random.Random`. A *patch* says from which choice on, for
how many choices, another seed decides: a program with one is its parent up to there, and valid by
construction like every other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeAlias

Patch: TypeAlias = tuple[int, int, int]
"""The first choice that another seed decides, how many it decides, and that seed."""


class Draws(random.Random):
    """`random.Random(seed)`, but for the choices that patches cover; later patches win.

    Below 1, `size` draws the numbers of a range nearer to its low end: fewer statements, shorter
    loops, smaller buffers.
    """

    def __init__(self, seed: str, patches: Sequence[Patch] = (), size: float = 1.0) -> None:
        """`patches` count choices from 0."""
        super().__init__(seed)
        self.count = 0
        self._size = size
        self._patches = [(a, a + n, random.Random(f"{seed}/{a}/{s}")) for a, n, s in patches]

    def random(self) -> float:
        """A number from 0 to 1, without 1."""
        own = super().random()
        other = self._other()
        return own if other is None else other.random()

    def getrandbits(self, k: int, /) -> int:
        """A number of `k` bits."""
        own = super().getrandbits(k)
        other = self._other()
        return own if other is None else other.getrandbits(k)

    def randint(self, a: int, b: int) -> int:
        """A number from `a` to `b`, both included."""
        if self._size >= 1.0:
            return super().randint(a, b)
        return min(b, a + int((b - a + 1) * self.random() ** (1.0 / self._size)))

    def _other(self) -> random.Random | None:
        place = self.count
        self.count += 1
        for first, end, source in reversed(self._patches):
            if first <= place < end:
                return source
        return None
