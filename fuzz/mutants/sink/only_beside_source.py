"""A view is sunk only where the loop captures its source as well.

The bug is about a buffer and its view; two views of one buffer are forgotten.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Leave the views whose source is not captured."""

    def wanted(region: Any) -> list[Any]:
        found = right(region)
        return [
            value
            for value in found
            if not sink.is_sinkable_capture(value) or value.owner.operands[0] in found
        ]

    right = patch.set(sink, "region_captures", wanted)
