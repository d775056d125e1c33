"""`memref.transpose` is not sunk.

It is left out of the list of view ops.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Leave transposes outside."""

    def sinks(value: Any) -> bool:
        return right(value) and op_name(value.owner) != "memref.transpose"

    right = patch.set(sink, "is_sinkable_capture", sinks)
