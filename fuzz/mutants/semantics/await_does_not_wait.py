"""`async.await` gives the value without waiting.

The value is known where the region was run.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Unwrap the value."""
    patch.rule("async.await", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    if not op.results:
        return []
    del right
    return [m.unwrap(m.value(op.operands[0]))]
