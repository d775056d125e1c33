"""`gpu.wait` without `async` does not hold up the host.

Its tokens are looked at only for the token that it returns.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Wait for nothing."""
    patch.rule("gpu.wait", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    if op.results:
        return right(m, op)
    m.wait(op, [])
    return []
