"""`linalg.fill` reads its output and does not write it.

Its output is an operand like any other, and operands are read.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Read the output."""
    patch.rule("linalg.fill", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    m.read_all(op, m.value(op.operands[-1]))
    return [m.value(r) for r in op.results]
