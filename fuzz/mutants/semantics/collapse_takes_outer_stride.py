"""A collapsed dimension has the stride of the outermost dimension of its group.

The first of a group is what one writes first; right is the innermost.
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
    """Take the first stride."""
    patch.rule("memref.collapse_shape", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    def change(view: View) -> View:
        made = view_after(m, op, right, view)
        return replace(made, strides=(view.strides[0], *made.strides[1:]))

    return [m.map_view(m.value(op.operands[0]), change)]
