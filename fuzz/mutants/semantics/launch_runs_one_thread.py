"""A launch runs one thread.

A kernel is one access set, and one run of its body looks like all of it.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.semantics import gpu

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Launch a grid of one."""

    def launch(m: Any, op: Any, grid: Any, *given: Any) -> None:
        right(m, op, [1 for _ in grid], *given)

    right = patch.set(gpu, "launch", launch)
