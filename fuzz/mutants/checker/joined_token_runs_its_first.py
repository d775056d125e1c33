"""A joined token of a replay stands for the first of its tokens.

`tokens[0]` is right while there is one.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.replay import scheduler

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Join one token."""

    def join(self: Any, tokens: Any) -> Any:
        return right(self, tokens[:1])

    right = patch.set(scheduler.Scheduler, "join", join)
