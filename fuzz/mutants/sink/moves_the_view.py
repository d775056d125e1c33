"""A view is moved into the loop instead of cloned.

It is right where nothing else uses it.
"""

from typing import Any

from xdsl.rewriter import InsertPoint, Rewriter

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Detach the view and use it as its clone."""

    def into(region: Any, value: Any) -> Any:
        uses = list(uses_inside(region, value))
        if uses:
            view = value.owner
            view.detach()
            Rewriter.insert_op(view, InsertPoint.at_start(region.blocks.first))
            return tuple(view.operands)
        return right(region, value)

    uses_inside = patch.get(sink, "_uses_inside")
    right = patch.set(sink, "_sink_into", into)
