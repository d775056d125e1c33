"""Two views that start at different places are taken to be apart.

Start addresses are what tools compare; ranges may overlap all the same.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.smt import overlap

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Compare where the views begin."""

    def cannot_meet(first: Any, second: Any, shared: Any) -> str | None:
        if first.view.offset != second.view.offset:
            return "constant"
        return right(first, second, shared)

    right = patch.set(overlap, "cannot_meet", cannot_meet)
