"""Behind an await, the host goes on to the next GPU op before it waits.

Only GPU ops are thought to need what a task started.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import gpu_async_execute as execute


def apply(patch: Patch) -> None:
    """Take host accesses for ops that need no wait."""

    def stops(op: Any) -> bool:
        return right(op) and op_name(op) not in ("memref.load", "memref.store")

    right = patch.set(execute, "stops_the_host", stops)
