"""A write in any other iteration may be the one that is read, and the same one never is.

Two iterations stand for any two, and that they may be equal is forgotten.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.smt import overlap

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Drop the order inside one iteration."""

    def orders(first: Any, second: Any, outer: int) -> Any:
        return (order for order in right(first, second, outer) if order.is_strict)

    right = patch.set(overlap, "orders", orders)
