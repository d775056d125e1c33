"""The step of `scf.for` is not looked at.

Almost every loop has step one.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Count by one."""
    patch.rule("scf.for", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    lower, upper, _, *initial = op.operands
    bounds = (m.number(lower), m.number(upper), 1)
    return m.for_loop(op, bounds, [m.value(v) for v in initial], op.regions[0])
