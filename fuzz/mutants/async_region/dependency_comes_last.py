"""A dependency is appended behind the op's other operands.

That is where new operands go by default; dependencies come first.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_ops as ops
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Add the token at the end."""

    def add(op: Any, token: Any) -> None:
        op.operands = [*op.operands, token]
        ops.grow_segment(op, 0, 1)

    patch.set(region, "add_dependency", add)
