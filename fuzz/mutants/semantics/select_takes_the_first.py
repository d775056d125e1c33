"""`arith.select` always gives its first value.

Where views are followed, one of them has to be chosen, and the first is at hand.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Ignore the condition."""
    patch.rule("arith.select", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    return [m.value(op.operands[1])]
