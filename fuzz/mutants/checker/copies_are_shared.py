"""All captures of one buffer share a copy in the replay.

A cache keyed by the buffer saves memory, and hides the very bug that is looked for.
"""

from dataclasses import replace
from typing import Any

from fuzz.mutants import Patch
from verify.replay import checkpoint

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Put a second copy of a buffer into the first one."""

    def restored(self: Any, snapshot: Any, start: int) -> Any:
        copies.clear()
        return right(self, snapshot, start)

    def copy(self: Any, view: Any, value: Any, snapshot: Any, start: int) -> Any:
        known = copies.get(view.memory.id)
        made = copy_right(self, view, value, snapshot, start)
        if known is None:
            copies[view.memory.id] = (made, view)
            return made
        first, source = known
        moved = first.offset + (view.offset - source.offset)
        return replace(made, memory=first.memory, offset=moved, base=moved)

    copies: dict[int, Any] = {}
    replay = patch.get(checkpoint, "_LoopReplay")
    right = patch.set(replay, "_restored", restored)
    copy_right = patch.set(replay, "_copy", copy)
