"""`async.await_all` does not wait.

A group is data, and what it holds is thought to be waited for one by one.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value

FAMILIES = ("tokens",)


def apply(patch: Patch) -> None:
    """Wait for nothing."""
    patch.rule("async.await_all", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del m, op, right
    return []
