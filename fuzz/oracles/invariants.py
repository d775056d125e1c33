"""What held before a real pass must hold after it (E0303)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fuzz.finding import Finding, from_diagnostic, shape_at
from fuzz.subject import Subject
from verify.blame import broken_codes
from verify.codes import CODES
from verify.diagnostic import Diagnostic
from verify.result import StageResult


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """Each invariant that a pass broke in a function."""
    for target in targets:
        before, after = subject.verdicts(), subject.after(target)
        for name, stage in after.items():
            if name in before:
                yield from _broken(subject, target, name, before[name], stage)


def _broken(
    subject: Subject, target: str, name: str, before: StageResult, after: StageResult
) -> Iterator[Finding]:
    for code in broken_codes(before, after):
        cause = next(d for d in after.diagnostics if d.code == code)
        message = f"`{target}` breaks `@{name}`: {code} ({CODES[code].name}): {cause.message}"
        told = Diagnostic("E0303", message, name, after.stage, notes=(_evidence(cause),))
        module = subject.outcome(target).module
        shape = f"{code} {shape_at(module, cause)}"
        yield from_diagnostic(told, "invariants", target, shape=shape)


def _evidence(cause: Diagnostic) -> str:
    found = cause.counterexample
    return "" if found is None else f"inputs: {dict(found.inputs)}"
