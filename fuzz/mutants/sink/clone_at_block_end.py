"""The clone is put in front of the terminator instead of at the top.

The builder is left where the last op was made.
"""

from typing import Any

from xdsl.rewriter import InsertPoint, Rewriter

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Put the clone last."""

    def into(region: Any, value: Any) -> Any:
        found = right(region, value)
        if found:
            block = region.blocks.first
            clone = block.first_op
            clone.detach()
            Rewriter.insert_op(clone, InsertPoint.before(block.last_op))
        return found

    right = patch.set(sink, "_sink_into", into)
