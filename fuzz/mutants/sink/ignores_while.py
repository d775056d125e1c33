"""`scf.while` loops are left alone.

The loops are matched by a class, and a while loop has no induction variable to look for.
"""

from typing import Any

from fuzz.mutants import Patch
from verify.ir.names import op_name
from verify.passes import sink_checkpoint_views as sink


def apply(patch: Patch) -> None:
    """Keep all but while loops."""

    def loops(op: Any) -> list[Any]:
        found = right(op)
        return [loop for loop in found if op_name(loop) != "scf.while"]

    right = patch.set(sink, "checkpointed_loops", loops)
