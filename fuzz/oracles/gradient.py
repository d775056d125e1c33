"""Real gradients: what Enzyme makes of a function with checkpoints must be its derivative.

This compiles and runs code, so it takes seconds; it belongs to campaigns that ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fuzz.finding import Finding, from_diagnostic, normalised
from fuzz.subject import Subject
from verify.gradient.findings import function_result
from verify.gradient.oracle import check_gradient
from verify.gradient.result import FAULTS, Options
from verify.gradient.signature import GradientUsageError
from verify.model.analyse import functions_of
from verify.semantics.views_by_name import checkpointed_loops
from verify.verdict import Verdict


def judge(subject: Subject, _targets: Sequence[str]) -> Iterator[Finding]:
    """Variants that are wrong, do not compile or crash where the plain gradient is right.

    Of what is not faithful, a gradient without sinking may be wrong: that is what sinking is for.
    """
    assert subject.parsed.module is not None
    for name, op in functions_of(subject.parsed.module):
        if checkpointed_loops(op) and name in subject.verdicts():
            with subject.timed("gradient"):
                yield from _judged(subject, name)


def _judged(subject: Subject, name: str) -> Iterator[Finding]:
    options = Options(samples=1, timeout_s=subject.limits.pass_s)
    try:
        result = check_gradient(subject.parsed, name, options)
    except GradientUsageError:
        return
    if not result.variants or result.variants[0].status in FAULTS:
        return
    told: set[str] = set()
    is_faithful = subject.verdicts()[name].verdict is Verdict.PROVEN
    for stage in function_result(result).stages:
        form = stage.stage.removeprefix("after:gradient:")
        for diagnostic in stage.diagnostics:
            is_expected = diagnostic.code == "E0401" and not is_faithful
            words = f"{diagnostic.code} {normalised(diagnostic.message)}"
            if diagnostic.code[0] == "E" and not is_expected and words not in told:
                told.add(words)
                found = from_diagnostic(diagnostic, "gradient", "enzyme:enzyme-wrap")
                yield replace(found, message=f"gradient {form}: {found.message}")
