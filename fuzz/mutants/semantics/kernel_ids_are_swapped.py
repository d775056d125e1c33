"""A kernel's block ids and thread ids are swapped.

Both are three numbers in a row of six.
"""

from collections.abc import Sequence

from fuzz.mutants import Patch
from verify.semantics import gpu
from verify.semantics.term import Number

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Exchange the first three numbers of a point with the others."""

    def ids(point: Sequence[Number], grid: Sequence[Number]) -> dict[str, Number]:
        return right([*point[3:], *point[:3]], grid)

    right = patch.set(gpu, "_ids", ids)
