"""Every replay starts from the memory at the start of the loop.

One snapshot is taken in front of the loop and used for each iteration.
"""

from dataclasses import replace
from typing import Any

from fuzz.mutants import Patch
from verify.replay import checkpoint

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Use the first snapshot's memory for all."""

    def copy(self: Any, view: Any, value: Any, snapshot: Any, start: int) -> Any:
        return right(self, view, value, replace(snapshot, memory=self.saved[0].memory), start)

    right = patch.set(patch.get(checkpoint, "_LoopReplay"), "_copy", copy)
