"""The offset of a subview is the sum of its offsets in elements.

In one dimension with stride one nothing else comes out.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation

from fuzz.mutants import Patch
from fuzz.mutants.made import view_after
from verify.ir.names import int_array
from verify.semantics.machine import Machine, Rule, Value
from verify.semantics.memref import DYNAMIC
from verify.semantics.values import View

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Add up the static offsets alone."""
    patch.rule("memref.subview", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    def change(view: View) -> View:
        made = view_after(m, op, right, view)
        offsets = int_array(op, "static_offsets") or ()
        if DYNAMIC in offsets or made.element is None:
            return made
        return replace(made, offset=view.offset + sum(offsets) * made.element.size)

    return [m.map_view(m.value(op.operands[0]), change)]
