"""A task starts at once, whatever it depends on.

The region is run where it stands.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.ir.names import operand_segments
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Start without dependencies."""
    patch.rule("async.execute", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    segments = operand_segments(op)
    values = segments[1] if len(segments) > 1 else []
    operands = [m.value(v) for v in values]

    def body() -> Sequence[Value]:
        return m.run_region(op.regions[0], [m.unwrap(v) for v in operands])

    token, results = m.task(op, [], body)
    return [token, *results]
