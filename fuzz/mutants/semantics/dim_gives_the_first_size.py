"""`memref.dim` gives the size of the first dimension whatever it is asked for.

Most memrefs have one dimension.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value
from verify.semantics.memref import located

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Ask for dimension 0."""
    patch.rule("memref.dim", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    if not isinstance(op.operands[0].type, MemRefType):
        return right(m, op)
    return [m.measure(m.value(op.operands[0]), lambda view: located(view)[0][0])]
