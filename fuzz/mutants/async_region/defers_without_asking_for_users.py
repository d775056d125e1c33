"""A wait at the end of a task is given up though nobody awaits the task.

The token is yielded to the users of the task, of which there may be none.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_execute as execute


def apply(patch: Patch) -> None:
    """Take every task for one that is awaited."""

    def is_only_awaited(task: Any) -> bool:
        del task
        return True

    patch.set(execute, "_is_only_awaited", is_only_awaited)
