"""State that no snapshot covers is not looked for.

A check that finds little is switched off for speed.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.checks import unsnapshotted

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Check nothing."""

    def check(context: Any, point: Any) -> None:
        del context, point

    patch.set(unsnapshotted, "check", check)
