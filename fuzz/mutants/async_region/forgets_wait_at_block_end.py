"""Nothing waits for the last token of a block.

The work seems to be over when the block is.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Leave out the waits in front of terminators."""

    def insert(point: Any, like: Any, tokens: Any, *, is_async: bool = False) -> Any:
        if not is_async and region.is_terminator(like):
            return None
        return right(point, like, tokens, is_async=is_async)

    right = patch.set(region, "insert_wait", insert)
