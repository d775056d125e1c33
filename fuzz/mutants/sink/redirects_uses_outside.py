"""Every use of a view is redirected to the clone, those outside the loop too.

`replaceAllUsesWith` is shorter than a loop over the uses inside.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Redirect all uses where there is one inside."""

    def uses(region: Any, value: Any) -> Any:
        return list(value.uses) if list(right(region, value)) else []

    right = patch.set(sink, "_uses_inside", uses)
