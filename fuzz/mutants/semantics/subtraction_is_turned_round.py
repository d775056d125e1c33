"""`arith.subi` subtracts its first operand from its second.

The operands are popped from a stack, the last one first.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Swap the operands of index subtractions."""
    patch.rule("arith.subi", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    if str(op.results[0].type) != "index":
        return right(m, op)
    a, b = (m.number(v) for v in op.operands)
    return [m.algebra.wrap(b - a, 64)]
