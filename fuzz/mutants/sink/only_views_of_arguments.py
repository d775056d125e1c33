"""A view is sunk only where its source is an argument of the function.

The double snapshot is thought of as a buffer argument and its view.
"""

from typing import Any

from xdsl.ir import Block

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Take views whose source no op makes."""

    def sinks(value: Any) -> bool:
        return right(value) and isinstance(value.owner.operands[0].owner, Block)

    right = patch.set(sink, "is_sinkable_capture", sinks)
