"""Effects of the ops in regions do not count for the op that holds them.

`isMemoryEffectFree` is asked of the op alone, without its recursive effects.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Take loops and branches for ops without effects."""

    def stops(op: Any) -> bool:
        return right(op) and (not op.regions or region.is_terminator(op))

    right = patch.set(region, "stops_the_host", stops)
