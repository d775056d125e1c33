"""The clone in the first region serves the other regions too.

A clone for each region looks wasteful, but the first does not dominate the others.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Redirect the uses in other regions to the first clone."""
    clones: dict[Any, Any] = {}

    def into(region: Any, value: Any) -> Any:
        known = clones.get((region.parent, value))
        if known is None:
            found = right(region, value)
            if found:
                clones[region.parent, value] = region.blocks.first.first_op
            return found
        for use in list(uses_inside(region, value)):
            use.operation.operands[use.index] = known.results[0]
        return ()

    uses_inside = patch.get(sink, "_uses_inside")
    right = patch.set(sink, "_sink_into", into)
