"""Nothing waits in front of a yield.

The return of the function looks like the only end that matters.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Leave out the waits in front of `scf.yield` and `async.yield`."""

    def insert(point: Any, like: Any, tokens: Any, *, is_async: bool = False) -> Any:
        if not is_async and op_name(like).endswith(".yield"):
            return None
        return right(point, like, tokens, is_async=is_async)

    right = patch.set(region, "insert_wait", insert)
