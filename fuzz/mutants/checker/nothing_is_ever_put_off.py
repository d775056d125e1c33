"""A replay runs all work at once, in program order.

An interpreter without streams does so, and no race shows.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.replay import scheduler

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Put nothing off."""

    def is_put_off(self: Any, op: Any, dependencies: Any) -> bool:
        del self, op, dependencies
        return False

    patch.set(scheduler.Scheduler, "_is_put_off", is_put_off)
