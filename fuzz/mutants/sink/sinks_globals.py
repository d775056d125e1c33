"""`memref.get_global` is sunk as well.

It is pure and has one result, so it looks like a view; in the loop no snapshot covers the global.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Take globals for views."""

    def sinks(value: Any) -> bool:
        return right(value) or getattr(value.owner, "name", "") == "memref.get_global"

    right = patch.set(sink, "is_sinkable_capture", sinks)
