"""Views with dynamic operands are not sunk.

Their operands would become captures of the loop, which looks dangerous.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Take views of their source alone."""

    def sinks(value: Any) -> bool:
        return right(value) and len(value.owner.operands) == 1

    right = patch.set(sink, "is_sinkable_capture", sinks)
