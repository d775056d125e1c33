"""A `gpu.wait` on several tokens waits for the first of them.

There is one token in most programs.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Drop the other tokens."""
    patch.rule("gpu.wait", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    token = m.wait(op, [m.value(v) for v in op.operands[:1]])
    return [token] if op.results else []
