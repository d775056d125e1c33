"""`gpu.dealloc` does not end the life of its memory.

What is freed is not used, so the op seems to matter to nobody.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Free nothing."""
    patch.rule("gpu.dealloc", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    token = m.device_op(op, [m.value(v) for v in op.operands[:-1]], lambda: None)
    return [token] if op.results else []
