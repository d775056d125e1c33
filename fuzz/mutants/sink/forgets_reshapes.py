"""`memref.expand_shape` and `memref.collapse_shape` are not sunk.

They are left out of the list of view ops.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Leave reshapes outside."""

    def sinks(value: Any) -> bool:
        return right(value) and not op_name(value.owner).endswith("_shape")

    right = patch.set(sink, "is_sinkable_capture", sinks)
