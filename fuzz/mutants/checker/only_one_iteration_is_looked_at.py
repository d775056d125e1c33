"""Accesses of different iterations are not compared.

Within one iteration the order is plain to see; the read of a later one is forgotten.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.smt import overlap

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Drop the orders that cross iterations."""

    def orders(first: Any, second: Any, outer: int) -> Any:
        return (order for order in right(first, second, outer) if not order.is_strict)

    right = patch.set(overlap, "orders", orders)
