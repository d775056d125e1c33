"""A view of a view is derived from the buffer behind both where the types allow it.

"The root" is taken for the source, since a loop should capture roots only.
"""

from typing import Any

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink
from verify.semantics.types import is_memref


def apply(patch: Patch) -> None:
    """Skip the views in between."""

    def into(region: Any, value: Any) -> Any:
        found = right(region, value)
        if not found:
            return found
        clone = region.blocks.first.first_op
        root = clone.operands[0]
        while isinstance(root.owner, Operation) and root.owner.operands and is_memref(root.type):
            root = root.owner.operands[0]
        if root.type == clone.operands[0].type:
            clone.operands[0] = root
        return tuple(clone.operands)

    right = patch.set(sink, "_sink_into", into)
