"""A transpose permutes the sizes and not the strides.

The strides are thought to belong to the memory, which stays as it is.
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
    """Keep the strides."""
    patch.rule("memref.transpose", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    def change(view: View) -> View:
        made = view_after(m, op, right, view)
        return replace(made, strides=view.strides)

    return [m.map_view(m.value(op.operands[0]), change)]
