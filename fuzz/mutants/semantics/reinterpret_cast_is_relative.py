"""The offset of `memref.reinterpret_cast` counts from its source view.

All other view ops are relative to their source; this one starts at the base pointer.
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
    """Add the offset of the source."""
    patch.rule("memref.reinterpret_cast", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    def change(view: View) -> View:
        made = view_after(m, op, right, view)
        return replace(made, offset=made.offset + (view.offset - view.base))

    return [m.map_view(m.value(op.operands[0]), change)]
