"""A subview lies at its own offset in the buffer, not in its source.

For a subview of a whole buffer the two are the same.
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
    """Count offsets from the base pointer."""
    patch.rule("memref.subview", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    def change(view: View) -> View:
        made = view_after(m, op, right, view)
        return replace(made, offset=view.base + (made.offset - view.offset))

    return [m.map_view(m.value(op.operands[0]), change)]
