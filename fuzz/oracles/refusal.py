"""A pass must take a valid program that its contract allows, and a real one must read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fuzz.finding import CHECKER, COMPILER, Finding, from_diagnostic
from fuzz.subject import Subject
from verify.ir.names import op_name


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """Refusals (E0301) of what the contract of a pass does not exclude."""
    for target in targets:
        refused = [d for d in subject.outcome(target).diagnostics if d.code == "E0301"]
        if refused and not _may_refuse(subject, target):
            blames = COMPILER if ":" in target else CHECKER
            yield from_diagnostic(refused[0], "refusal", target, blames=blames)


def _may_refuse(subject: Subject, target: str) -> bool:
    """Whether there is what `gpu-async-region` says it does not take."""
    if "gpu-async-region" not in target:
        return False
    assert subject.parsed.module is not None
    return any(
        op_name(op) in ("gpu.wait", "gpu.launch")
        or (op_name(op).startswith("gpu.") and any("token" in str(r.type) for r in op.results))
        or (op_name(op).startswith("gpu.") and bool(op.regions) and "func" not in op_name(op))
        for op in subject.parsed.module.walk()
    )
