"""An op depends on the token that the op before it depends on.

The operand of the previous op is taken for its result.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region
from verify.passes.gpu_async_ops import dependencies_of


def apply(patch: Patch) -> None:
    """Start an op after the start of the one before it."""

    def chain(op: Any, token: Any) -> Any:
        earlier = [] if token is None else dependencies_of(token.owner)
        return right(op, next(iter(earlier), token))

    right = patch.set(region, "_chain", chain)
