"""The window of a view ends where its last element begins.

`offset + (size - 1) * stride` is where the last element starts, not where it ends.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.smt import overlap

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Leave out the last element."""

    def window(access: Any) -> Any:
        found = right(access)
        return None if found is None else (found[0], found[1] + -access.size)

    right = patch.set(overlap, "window_of", window)
