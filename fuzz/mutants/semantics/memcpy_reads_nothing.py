"""The source of `gpu.memcpy` is not read.

The write is what makes a race, one thinks.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Write the target alone."""
    patch.rule("gpu.memcpy", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    target, source = op.operands[-2:]
    to = m.value(target)
    tokens = [m.value(v) for v in op.operands[:-2]]
    del source
    token = m.device_op(op, tokens, lambda: m.touch_some(op, [], [to]))
    return [token] if op.results else []
