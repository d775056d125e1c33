"""Loops inside a checkpointed loop are left alone.

Somebody walks the loops from outside and does not go into one that was treated.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Keep the outermost loops."""

    def loops(op: Any) -> list[Any]:
        found = right(op)
        return [
            loop
            for loop in found
            if not any(other.is_ancestor(loop) for other in found if other is not loop)
        ]

    right = patch.set(sink, "checkpointed_loops", loops)
