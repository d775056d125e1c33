"""A clone gets its dynamic operands in reverse order.

The operands are collected from the back and never turned round.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Turn round the operands behind the source."""

    def into(region: Any, value: Any) -> Any:
        found = right(region, value)
        if found:
            clone = region.blocks.first.first_op
            clone.operands = [clone.operands[0], *reversed(clone.operands[1:])]
        return found

    right = patch.set(sink, "_sink_into", into)
