"""After the first wait of a block nothing waits any more.

A flag that says "waited" is never cleared when the next op starts.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Leave out all waits of a block but the first."""

    def insert(point: Any, like: Any, tokens: Any, *, is_async: bool = False) -> Any:
        if not is_async and any(
            op_name(op) == region.WAIT and not op.results for op in like.parent.ops
        ):
            return None
        return right(point, like, tokens, is_async=is_async)

    right = patch.set(region, "insert_wait", insert)
