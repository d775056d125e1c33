"""`memref.reinterpret_cast` has the strides of its source.

It is read as a subview without the words.
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
    """Keep the strides where the rank is the same."""
    patch.rule("memref.reinterpret_cast", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    def change(view: View) -> View:
        made = view_after(m, op, right, view)
        return replace(
            made, strides=view.strides if len(view.strides) == len(made.strides) else made.strides
        )

    return [m.map_view(m.value(op.operands[0]), change)]
