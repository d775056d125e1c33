"""The host does not wait in front of a call.

The pass is not interprocedural, so calls are skipped.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Take calls for ops without effects."""

    def stops(op: Any) -> bool:
        return right(op) and op_name(op) != "func.call"

    right = patch.set(region, "stops_the_host", stops)
