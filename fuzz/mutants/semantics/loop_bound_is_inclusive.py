"""`scf.for` runs once more when it reaches its upper bound.

Many languages count up to and including the bound.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Run up to the bound and one step more."""
    patch.rule("scf.for", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    lower, upper, step, *initial = op.operands
    bounds = (m.number(lower), m.number(upper) + 1, m.number(step))
    return m.for_loop(op, bounds, [m.value(v) for v in initial], op.regions[0])
