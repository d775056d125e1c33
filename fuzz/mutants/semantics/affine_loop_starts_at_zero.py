"""`affine.for` starts at zero whatever its lower bound is.

Normalised loops do.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.ir.names import attr, operand_segments
from verify.semantics.affine import apply as apply_map
from verify.semantics.affine import least, map_attribute
from verify.semantics.arith import constant_of
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Ignore the lower bound."""
    patch.rule("affine.for", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    segments = operand_segments(op)
    del right
    upper = least(m, apply_map(m, map_attribute(op, "upperBoundMap"), segments[1]))
    step = constant_of(attr(op, "step"), IndexType())
    start = [m.value(v) for v in segments[2]]
    return m.for_loop(op, (0, upper, step), start, op.regions[0])
