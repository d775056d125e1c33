"""A wait in the middle of a task is moved to its users, past what the task does behind it.

The last wait of a region is taken for its last op.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_execute as execute


def apply(patch: Patch) -> None:
    """Take nothing behind a wait for an effect."""

    def last(op: Any) -> list[Any]:
        effects = patch_effects(lambda _: False)
        try:
            return right(op)
        finally:
            patch_effects(effects)

    def patch_effects(new: Any) -> Any:
        old = execute.has_effects
        execute.has_effects = new
        return old

    right = patch.set(execute, "_last_wait", last)
