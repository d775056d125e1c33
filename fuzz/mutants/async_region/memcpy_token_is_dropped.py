"""The token of `gpu.memcpy` does not become the current one.

A copy to the host was synchronous in an older API.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Go on with the token in front of a copy."""

    def chain(op: Any, token: Any) -> Any:
        made = right(op, token)
        return token if token is not None and op_name(made.owner) == "gpu.memcpy" else made

    right = patch.set(region, "_chain", chain)
