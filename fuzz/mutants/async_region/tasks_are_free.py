"""The host does not wait in front of `async.execute`.

A task is asynchronous already, so the host seems not to be held up by it.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Take tasks for ops without effects."""

    def stops(op: Any) -> bool:
        return right(op) and op_name(op) != "async.execute"

    right = patch.set(region, "stops_the_host", stops)
