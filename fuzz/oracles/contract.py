"""What a pass promises of its result, such as that no view is captured any more (E0103)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fuzz.finding import CHECKER, COMPILER, Finding, from_diagnostic, shape_at
from fuzz.subject import Subject, is_lowering
from verify.passes.contracts import check_contract


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """Each promise that is broken, once for a target."""
    source = subject.parsed.module
    for target in targets:
        result = subject.outcome(target).module
        if source is None or result is None or result.module is None or is_lowering(target):
            continue
        for broken in check_contract(target, source, result.module, f"after:{target}")[:1]:
            blames = COMPILER if ":" in target else CHECKER
            shape = shape_at(result, broken)
            yield from_diagnostic(broken, "contract", target, shape=shape, blames=blames)
