"""The strides of an expanded group run from the outermost dimension inwards.

The loop over a group goes forwards; row-major order needs it backwards.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation

from fuzz.mutants import Patch
from fuzz.mutants.made import view_after
from verify.semantics.machine import Machine, Rule, Value
from verify.semantics.values import View

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Turn round the strides."""
    patch.rule("memref.expand_shape", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    def change(view: View) -> View:
        made = view_after(m, op, right, view)
        return replace(made, strides=made.strides[::-1])

    return [m.map_view(m.value(op.operands[0]), change)]
