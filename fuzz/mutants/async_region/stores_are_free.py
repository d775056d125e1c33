"""The host does not wait in front of `memref.store`.

The store is to host memory, one thinks, and the device has its own.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Take stores for ops without effects."""

    def stops(op: Any) -> bool:
        return right(op) and op_name(op) != "memref.store"

    right = patch.set(region, "stops_the_host", stops)
