"""The strides of a subview are its own, not multiplied by those of its source.

On a dense one-dimensional source the two are the same.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value
from verify.semantics.memref import mixed
from verify.semantics.term import times
from verify.semantics.values import View

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Take strides as counts of elements."""
    patch.rule("memref.subview", _subview)


def _subview(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    ((value,), steps) = right(m, op), _strides(m, op)

    def change(view: View) -> View:
        if view.element is None or len(steps) != len(view.strides):
            return view
        unit = view.element.size
        return replace(view, strides=tuple(times(s, unit) for s in steps))

    return [m.map_view(value, change)]


def _strides(m: Machine, op: Operation) -> list[Value]:
    from verify.ir.names import operand_segments

    return mixed(m, op, "static_strides", operand_segments(op)[3])
