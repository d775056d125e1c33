"""A kernel does not wait for the dependencies of its launch.

They are an operand group like the grid, and one is left out.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.semantics import gpu

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Run launches without dependencies."""

    def device(m: Any, op: Any, tokens: Any, body: Any) -> Any:
        is_launch = op_name(op) == "gpu.launch_func"
        return right(m, op, [] if is_launch else tokens, body)

    right = patch.set(gpu, "_device", device)
