"""Allocations are sunk as well.

An allocation that only a loop uses seems to belong into it.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Take allocations for views."""

    def sinks(value: Any) -> bool:
        return right(value) or getattr(value.owner, "name", "") in ("memref.alloc", "memref.alloca")

    right = patch.set(sink, "is_sinkable_capture", sinks)
