"""`memref.view` is not sunk.

Its result is of another type than its source, so it does not look like a view.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Leave byte views outside."""

    def sinks(value: Any) -> bool:
        return right(value) and op_name(value.owner) != "memref.view"

    right = patch.set(sink, "is_sinkable_capture", sinks)
