"""Captures that only nested ops use are not found.

The operands of the ops in the body are looked at, but not those of ops in their regions.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Look at the ops of the body alone."""

    def direct(region: Any) -> list[Any]:
        own = {operand for block in region.blocks for op in block.ops for operand in op.operands}
        return [value for value in right(region) if value in own]

    right = patch.set(sink, "region_captures", direct)
