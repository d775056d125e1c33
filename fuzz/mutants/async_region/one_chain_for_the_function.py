"""One current token serves the whole function.

A plain walk needs no state for each block; a token is used up in a branch that may not be taken.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import gpu_async_region as region


def apply(patch: Patch) -> None:
    """Thread the function in one walk."""

    def whole(function: Any, *, is_strict: bool) -> None:
        first_form(function)
        del is_strict

    first_form = patch.get(region, "_first_form")
    patch.set(region, "_form_of_today", whole)
