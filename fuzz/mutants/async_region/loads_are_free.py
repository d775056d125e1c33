"""The host does not wait in front of `memref.load`.

A load has no side effects that anyone else could see.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Take loads for ops without effects."""

    def stops(op: Any) -> bool:
        return right(op) and op_name(op) != "memref.load"

    right = patch.set(region, "stops_the_host", stops)
