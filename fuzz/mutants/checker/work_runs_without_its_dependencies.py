"""In a replay, work that was put off runs without what it depends on.

The dependencies are looked at when the work is issued and not when it runs.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.replay import scheduler

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Forget the dependencies of an item."""

    def run(self: Any) -> None:
        kept, self.dependencies = self.dependencies, []
        right(self)
        self.dependencies = kept

    right = patch.set(scheduler.Item, "run", run)
