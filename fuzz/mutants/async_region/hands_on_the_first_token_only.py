"""Of several tokens that a task waited for it hands on the first one.

There was one token in every test.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_execute as execute


def apply(patch: Patch) -> None:
    """Let users wait for one value."""

    def depend(user: Any, values: Any, lists: Any) -> list[Any]:
        return right(user, values[:1], lists)

    right = patch.set(execute, "_depend_after", depend)
