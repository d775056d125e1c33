"""Uses in nested regions are not redirected.

The parent of the user is compared with the region instead of all its ancestors.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Redirect the uses in the region's own blocks."""

    def uses(region: Any, value: Any) -> Any:
        return [use for use in right(region, value) if use.operation.parent.parent is region]

    right = patch.set(sink, "_uses_inside", uses)
