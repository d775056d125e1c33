"""`scf.if` runs its first region when the condition does not hold.

A branch that skips the first block when the condition fails is easily written the wrong way.
"""

from collections.abc import Sequence

from xdsl.ir import Operation

from fuzz.mutants import Patch
from verify.semantics.machine import Machine, Rule, Value
from verify.semantics.scf import run_if_present


def apply(patch: Patch) -> None:
    """Negate the condition."""
    patch.rule("scf.if", _rule)


def _rule(m: Machine, op: Operation, right: Rule) -> Sequence[Value]:
    del right
    condition = m.truth(op.operands[0])
    return m.branch(
        op,
        [
            (condition, lambda: run_if_present(m, op.regions[1])),
            (True, lambda: run_if_present(m, op.regions[0])),
        ],
    )
