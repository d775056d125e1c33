"""Loads in front of the loop are sunk as well.

Sinking what a view's index is computed from would leave less to capture.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def is_index(kind: Any) -> bool:
    """Whether a type is `index`."""
    return str(kind) == "index"


def apply(patch: Patch) -> None:
    """Take loads for pure ops."""

    def sinks(value: Any) -> bool:
        return right(value) or (
            is_index(value.type) and getattr(value.owner, "name", "") == "memref.load"
        )

    right = patch.set(sink, "is_sinkable_capture", sinks)
