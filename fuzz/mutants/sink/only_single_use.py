"""Views with more than one use are not sunk.

Sinking passes usually ask for one use before they move an op.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Take views that are used once."""

    def sinks(value: Any) -> bool:
        return right(value) and not value.has_more_than_one_use()

    right = patch.set(sink, "is_sinkable_capture", sinks)
