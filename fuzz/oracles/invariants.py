"""What held before a real pass must hold after it (E0303).

Upstream MLIR knows nothing of checkpoints: that one of its passes lets a loop capture more is no
fault of it, so its passes are asked about the order of work alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fuzz.finding import Finding, from_diagnostic, normalised
from fuzz.subject import Subject
from verify.blame import broken_codes
from verify.codes import CODES
from verify.diagnostic import Diagnostic
from verify.ir.module import ParsedModule
from verify.ir.names import op_name
from verify.ir.spans import op_location
from verify.result import StageResult

_OP = re.compile(r"`(gpu|memref|async|func|affine|linalg|llvm)\.[\w.]+`")


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
        if code.startswith("E01") and target.startswith("mlir"):
            continue
        cause = next(d for d in after.diagnostics if d.code == code)
        message = f"`{target}` breaks `@{name}`: {code} ({CODES[code].name}): {cause.message}"
        told = Diagnostic("E0303", message, name, after.stage, notes=(_evidence(cause),))
        module = subject.outcome(target).module
        words = _OP.sub(r"\1 op", normalised(cause.message))
        found = from_diagnostic(told, "invariants", target)
        yield replace(found, shape=f"{code} {words} {_around(module, cause)}".rstrip())


def _around(parsed: ParsedModule | None, cause: Diagnostic) -> str:
    """Of a race, whether a task is part of it, and whether a value of a task is."""
    if parsed is None or parsed.module is None or not cause.code.startswith("E02"):
        return ""
    places = [cause.location, *(r.location for r in cause.related)]
    lines = {(p.line, p.column) for p in places if p is not None}
    found: set[str] = set()
    for op in parsed.module.walk():
        at = op_location(op)
        parent = op.parent_op() if at and (at.line, at.column) in lines else None
        while parent is not None:
            found |= {op_name(parent)} & {"async.execute", "scf.while"}
            parent = parent.parent_op()
    return "+".join(sorted(found))


def _evidence(cause: Diagnostic) -> str:
    found = cause.counterexample
    return "" if found is None else f"inputs: {dict(found.inputs)}"
