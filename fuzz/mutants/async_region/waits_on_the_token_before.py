"""The host waits for what the last op depends on, not for the last op.

The operand of the op is taken for its result.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region
from verify.passes.gpu_async_ops import dependencies_of


def apply(patch: Patch) -> None:
    """Wait for the first dependency of the op behind a token."""

    def insert(point: Any, like: Any, tokens: Any, *, is_async: bool = False) -> Any:
        if not is_async:
            tokens = [next(iter(dependencies_of(t.owner)), t) for t in tokens]
        return right(point, like, tokens, is_async=is_async)

    right = patch.set(region, "insert_wait", insert)
