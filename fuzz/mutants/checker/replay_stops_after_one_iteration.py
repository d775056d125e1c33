"""A replay runs the iteration that it starts at and no further.

The segment of a schedule is taken to be one iteration long.
"""

from dataclasses import replace
from typing import Any

from fuzz.mutants import Patch
from verify.replay import checkpoint

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Cut every journey short."""

    def replayed(self: Any, journey: Any) -> None:
        first = journey[0]
        right(self, [replace(first, stop=first.start + 1)])

    right = patch.set(patch.get(checkpoint, "_LoopReplay"), "_replay", replayed)
