"""The byte shift of `memref.view` is counted in elements.

Every other offset of the dialect counts elements.
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
    """Shift by whole elements."""
    patch.rule("memref.view", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    def change(view: View) -> View:
        made = view_after(m, op, right, view)
        assert made.element is not None
        start = view.offset + m.algebra.multiply(made.offset - view.offset, made.element.size)
        return replace(made, offset=start, base=start)

    return [m.map_view(m.value(op.operands[0]), change)]
