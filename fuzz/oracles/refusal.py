"""A pass must take a valid program that its contract allows, and a real one must read it.

To leave an op as it is that the pass is there to lower is a refusal too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation

from fuzz.exclusions import is_excluded, why_not_lowered
from fuzz.finding import CHECKER, COMPILER, Finding, from_diagnostic
from fuzz.subject import Subject, last_pass
from verify.diagnostic import Diagnostic
from verify.ir.names import op_name
from verify.passes.contracts import passes_in

_LOWERED = frozenset(
    {
        "gpu.alloc",
        "gpu.dealloc",
        "gpu.host_register",
        "gpu.host_unregister",
        "gpu.memcpy",
        "gpu.memset",
        "gpu.set_default_device",
        "gpu.wait",
    }
)
"""Ops of the host that `gpu-to-llvm` has a call of the runtime for."""


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """Refusals (E0301) of what the contract of a pass does not exclude."""
    for target in targets:
        refused = [d for d in subject.complaints(target) if d.code == "E0301"]
        if refused and not _may_refuse(subject, target, refused[0]):
            blames = COMPILER if ":" in target else CHECKER
            yield from_diagnostic(refused[0], "refusal", target, blames=blames)
        if "gpu-to-llvm" in last_pass(target)[1]:
            yield from _left(subject, target)


def _may_refuse(subject: Subject, target: str, refused: Diagnostic) -> bool:
    refusing, given = subject.last_given(target)
    return any(is_excluded(name, given, refused.message) for name in passes_in(refusing))


def _left(subject: Subject, target: str) -> Iterator[Finding]:
    """The first op of a kind that should have been lowered and is still there."""
    result = subject.outcome(target).module
    if result is None or result.module is None:
        return
    told: set[str] = set()
    for op in result.module.walk():
        name = op_name(op)
        if name not in _LOWERED - told or why_not_lowered(op) or _is_in_kernel(op):
            continue
        told.add(name)
        message = f"`{last_pass(target)[1]}` leaves `{name}` as it is"
        yield from_diagnostic(Diagnostic("E0301", message), "refusal", target)


def _is_in_kernel(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and op_name(parent) != "gpu.module":
        parent = parent.parent_op()
    return parent is not None
