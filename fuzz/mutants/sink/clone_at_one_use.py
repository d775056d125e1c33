"""The clone is put in front of one use instead of at the top of the region.

A clone as near as possible to its use keeps live ranges short; other uses may come before it.
"""

from typing import Any

from xdsl.rewriter import InsertPoint, Rewriter

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Put the clone where one user is."""

    def into(region: Any, value: Any) -> Any:
        found = right(region, value)
        if found:
            clone = region.blocks.first.first_op
            user = next(iter(clone.results[0].uses)).operation
            clone.detach()
            Rewriter.insert_op(clone, InsertPoint.before(user))
        return found

    right = patch.set(sink, "_sink_into", into)
