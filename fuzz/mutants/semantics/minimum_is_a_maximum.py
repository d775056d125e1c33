"""`arith.minsi` gives the larger number.

The comparison in it is turned round.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value
from verify.semantics.term import at_most

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Take the larger one."""
    patch.rule("arith.minsi", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    a, b = (m.number(v) for v in op.operands)
    return [a + b - m.algebra.choose(at_most(a, b), a, b)]
