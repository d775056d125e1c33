"""`gpu.memcpy` copies its target to its source.

`memref.copy` has its source first.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Swap source and target."""
    patch.rule("gpu.memcpy", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    source, target = op.operands[-2:]
    to, origin = m.value(target), m.value(source)
    tokens = [m.value(v) for v in op.operands[:-2]]
    token = m.device_op(
        op, tokens, lambda: m.write_all(op, to, m.read_all(op, origin), target.type)
    )
    return [token] if op.results else []
