"""`memref.cast` is not sunk.

A cast changes nothing but a type and is overlooked.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Leave casts outside."""

    def sinks(value: Any) -> bool:
        return right(value) and op_name(value.owner) != "memref.cast"

    right = patch.set(sink, "is_sinkable_capture", sinks)
