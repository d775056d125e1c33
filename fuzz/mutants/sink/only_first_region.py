"""Views are sunk into the first region of a loop only.

`scf.for` has one region, so the code works until somebody checkpoints an `scf.while`.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Leave the other regions as they are."""

    def into_first(region: Any, value: Any) -> Any:
        loop = region.parent
        return right(region, value) if region is loop.regions[0] else ()

    right = patch.set(sink, "_sink_into", into_first)
