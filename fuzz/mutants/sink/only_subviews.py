"""Only `memref.subview` is sunk.

It is the view that everybody thinks of.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Take one op for a view."""

    def sinks(value: Any) -> bool:
        return right(value) and op_name(value.owner) == "memref.subview"

    right = patch.set(sink, "is_sinkable_capture", sinks)
