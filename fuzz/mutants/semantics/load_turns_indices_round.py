"""A load in two dimensions takes its indices in reverse order.

Column-major order is what other languages have.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("checkpointed",)


def apply(patch: Patch) -> None:
    """Reverse the indices."""
    patch.rule("memref.load", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    view, *indices = op.operands
    places = [m.number(i) for i in reversed(indices)]
    return [m.load(op, m.value(view), places, op.results[0].type)]
