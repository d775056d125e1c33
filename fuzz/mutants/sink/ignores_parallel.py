"""Parallel loops are left alone.

Only sequential loops are thought to be replayed.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Keep the sequential loops."""

    def loops(op: Any) -> list[Any]:
        found = right(op)
        return [loop for loop in found if op_name(loop) in ("scf.for", "scf.while", "affine.for")]

    right = patch.set(sink, "checkpointed_loops", loops)
