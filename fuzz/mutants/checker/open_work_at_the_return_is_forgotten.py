"""Work that may still run at the return is not told.

Races are what one looks for; at the end there is no other access.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.checks import token_order

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Find nothing at the return."""

    def check(context: Any, search: Any) -> None:
        del context, search

    patch.set(token_order, "_check_return", check)
