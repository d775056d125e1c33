"""`memref.reinterpret_cast` is not sunk.

It may go beyond its source, so it is thought not to be a view.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Leave reinterpret casts outside."""

    def sinks(value: Any) -> bool:
        return right(value) and op_name(value.owner) != "memref.reinterpret_cast"

    right = patch.set(sink, "is_sinkable_capture", sinks)
