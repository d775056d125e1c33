"""A task yields the token that its last work depends on, not that of the work.

The operand of the op is taken for its result.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_execute as execute


def apply(patch: Patch) -> None:
    """Yield the first dependency of the op behind a token."""

    def yield_also(task: Any, values: Any, lists: Any) -> Any:
        earlier = [next(iter(execute.dependencies_of(v.owner)), v) for v in values]
        return right(task, earlier, lists)

    right = patch.set(execute, "_yield_also", yield_also)
