"""`gpu.memset` is not seen as a write.

Only ops with a source and a target were thought of.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Touch nothing."""
    patch.rule("gpu.memset", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    token = m.device_op(op, [m.value(v) for v in op.operands[:-2]], lambda: None)
    return [token] if op.results else []
