"""`memref.copy` copies its second operand to its first.

`memcpy` has its target first.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Swap source and target."""
    patch.rule("memref.copy", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    target, source = op.operands
    m.write_all(op, m.value(target), m.read_all(op, m.value(source)), target.type)
    return []
