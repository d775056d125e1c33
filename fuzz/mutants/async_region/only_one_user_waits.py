"""Only one of those who use a task waits for the work that it started.

`getUsers().begin()` stands where a loop over the users was meant.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_execute as execute


def apply(patch: Patch) -> None:
    """Let the first user of some tokens wait and no other."""
    seen: set[Any] = set()

    def depend(user: Any, values: Any, lists: Any) -> list[Any]:
        if values[0] in seen:
            return []
        seen.add(values[0])
        return right(user, values, lists)

    right = patch.set(execute, "_depend_after", depend)
