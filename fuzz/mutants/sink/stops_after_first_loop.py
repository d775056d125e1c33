"""Only the first checkpointed loop of a module is treated.

A `return` stands where a `continue` was meant.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Keep the first loop."""

    def loops(op: Any) -> list[Any]:
        found = right(op)
        return found[:1]

    right = patch.set(sink, "checkpointed_loops", loops)
