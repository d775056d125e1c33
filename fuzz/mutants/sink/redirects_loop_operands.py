"""Operands of the loop itself count as uses inside it.

A loop is its own ancestor in many helpers, `isAncestor` of MLIR among them.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Let the op that holds the region be inside it."""

    def is_inside(op: Any, region: Any) -> bool:
        return op is region.parent or right(op, region)

    right = patch.set(sink, "_is_inside", is_inside)
