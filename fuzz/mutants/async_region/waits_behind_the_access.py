"""The host waits behind the op that it has to wait in front of.

`setInsertionPointAfter` is one word from `setInsertionPoint`.
"""

from typing import Any

from xdsl.rewriter import InsertPoint

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Put waits for what is not a terminator one op later."""

    def insert(point: Any, like: Any, tokens: Any, *, is_async: bool = False) -> Any:
        if not is_async and not region.is_terminator(like):
            point = InsertPoint.after(like)
        return right(point, like, tokens, is_async=is_async)

    right = patch.set(region, "insert_wait", insert)
