"""The wait at the end of a block is put behind its terminator.

The builder's insertion point at the end of a block is behind everything in it.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Leave terminators to the code for the end of the block."""

    def stops(op: Any) -> bool:
        return right(op) and not region.is_terminator(op)

    right = patch.set(region, "stops_the_host", stops)
