"""The token is put in front of the op's other results.

The first version of the pass did so; `gpu.alloc` has its memory first.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_ops as ops


def apply(patch: Patch) -> None:
    """Add new results in front."""

    def replaced(op: Any, types: Any) -> Any:
        count = len(op.results)
        new = right(op, types)
        for result in list(new.results)[:count]:
            result.replace_all_uses_with(new.results[-1 - result.index])
        return new

    right = patch.set(ops, "replace_with_more_results", replaced)
