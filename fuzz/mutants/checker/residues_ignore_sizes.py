"""The residue test asks whether two accesses begin at one byte.

Elements of different sizes can overlap without that.
"""

from fuzz.mutants import Patch
from verify.smt import overlap

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Look for a difference of zero."""

    def hits(constant: int, step: int, low: int, high: int) -> bool:
        del low, high
        return right(constant, step, 0, 0)

    right = patch.set(overlap, "_hits_window", hits)
