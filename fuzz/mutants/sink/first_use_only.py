"""Only one use of a view in a region is redirected to its clone.

A `break` stays in the loop over the uses.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Redirect one use."""

    def uses(region: Any, value: Any) -> Any:
        return list(right(region, value))[:1]

    right = patch.set(sink, "_uses_inside", uses)
