"""Loops of the `affine` dialect are left alone.

The pass is tested behind `lower-affine` only.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Keep the loops of `scf`."""

    def loops(op: Any) -> list[Any]:
        found = right(op)
        return [loop for loop in found if op_name(loop).startswith("scf.")]

    right = patch.set(sink, "checkpointed_loops", loops)
