"""Nothing waits for the last token of a block.

The wait at the end looks like a special case that the wait in front of terminators covers.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Take terminators for ops that do not stop the host."""

    def stops(op: Any) -> bool:
        return right(op) and not region.is_terminator(op)

    right = patch.set(region, "stops_the_host", stops)
