"""Behind a branch, all is complete that one of its sides has waited for.

Facts of both sides are put together where only common ones hold.
"""

from dataclasses import replace
from typing import Any

from fuzz.mutants import Patch
from verify.model import graphs, joins, loops, order

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Take what any path knows."""

    def joined(paths: Any) -> Any:
        found = right(paths)
        host = found.host
        for path in paths:
            host = host | path.host
        return replace(found, host=host)

    right = order.joined_path
    patch_all(patch, joined)


def patch_all(patch: Patch, joined: Any) -> None:
    """Replace the function wherever it was imported."""
    for module in (joins, graphs, loops, order):
        if "joined_path" in vars(module):
            patch.set(module, "joined_path", joined)
