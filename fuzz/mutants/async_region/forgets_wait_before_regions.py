"""Nothing waits in front of an op that has regions.

The ops in the regions are visited on their own, so the op itself seems harmless.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Leave out the waits in front of loops, branches and tasks."""

    def insert(point: Any, like: Any, tokens: Any, *, is_async: bool = False) -> Any:
        if not is_async and bool(like.regions):
            return None
        return right(point, like, tokens, is_async=is_async)

    right = patch.set(region, "insert_wait", insert)
