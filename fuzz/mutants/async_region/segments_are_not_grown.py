"""`operandSegmentSizes` is not updated when a dependency is added.

The operand list alone looks like all there is; it fails only for ops with segments.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_ops as ops


def apply(patch: Patch) -> None:
    """Leave the sizes as they are."""

    def grow(op: Any, index: int, count: int) -> None:
        del op, index, count

    patch.set(ops, "grow_segment", grow)
