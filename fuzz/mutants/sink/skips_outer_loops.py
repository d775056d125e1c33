"""Loops that hold a checkpointed loop are left alone.

"Innermost first" is taken for "innermost only".
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Keep the innermost loops."""

    def loops(op: Any) -> list[Any]:
        found = right(op)
        return [
            loop
            for loop in found
            if not any(loop.is_ancestor(other) for other in found if other is not loop)
        ]

    right = patch.set(sink, "checkpointed_loops", loops)
