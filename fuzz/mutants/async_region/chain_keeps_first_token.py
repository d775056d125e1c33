"""The current token stays the first one of a chain.

All ops depend on the first token, and nothing waits for what they return.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Go on with the old token where there is one."""

    def chain(op: Any, token: Any) -> Any:
        made = right(op, token)
        return made if token is None else token

    right = patch.set(region, "_chain", chain)
