"""A write behind an asynchronous read is not compared with it.

Only what reads stale data seems to matter.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.checks import token_order

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Leave out pairs whose first access reads."""

    def race(context: Any, first: Any, second: Any, event: int) -> Any:
        return right(context, first, second, event) if first.is_write else None

    right = patch.set(token_order, "_race", race)
