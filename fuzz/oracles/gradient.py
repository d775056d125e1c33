"""Real gradients: what Enzyme makes of a function with checkpoints must be its derivative.

It speaks of the target `enzyme:enzyme-wrap`. This compiles and runs code, which takes about a
second, so that only some programs are asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from fuzz.finding import Finding, from_diagnostic
from fuzz.settings import GRADIENT
from fuzz.subject import Subject
from verify.diagnostic import Diagnostic
from verify.gradient.findings import function_result
from verify.gradient.oracle import check_gradient
from verify.gradient.result import Options
from verify.gradient.signature import GradientUsageError
from verify.model.analyse import functions_of
from verify.semantics.views_by_name import checkpointed_loops
from verify.toolchain.enzyme import is_installed
from verify.verdict import Verdict

_NOT_THERE_YET = (
    "could not compute the adjoint for this operation",
    "does not have autodifftypeinterface",
    "not yet implemented",
)
"""What Enzyme prints of an op or a type that it has no derivative of."""


def judge(subject: Subject, _targets: Sequence[str]) -> Iterator[Finding]:
    """Gradients that are wrong or crash; with checkpoints, also those that do not compile.

    Of what is not faithful, a gradient without sinking may be wrong: that is what sinking is for.
    """
    assert subject.parsed.module is not None
    if GRADIENT not in subject.targets or not is_installed():
        return
    for name, op in functions_of(subject.parsed.module):
        if checkpointed_loops(op) and name in subject.verdicts():
            with subject.timed("gradient"):
                yield from _judged(subject, name)


def _judged(subject: Subject, name: str) -> Iterator[Finding]:
    # Where Enzyme is at fault without checkpoints, the rest says nothing new.
    options = Options(samples=1, timeout_s=subject.limits.pass_s, stops_at_fault=True)
    try:
        result = check_gradient(subject.parsed, name, options)
    except GradientUsageError:
        return
    if not result.variants:
        return
    told: set[str] = set()
    is_faithful = subject.verdicts()[name].verdict is Verdict.PROVEN
    stages = function_result(result).stages
    wrong = {s.stage for s in stages for d in s.diagnostics if d.code == "E0401"}
    for stage in stages:
        form = stage.stage.removeprefix("after:gradient:").partition(":")[0]
        for diagnostic in stage.diagnostics:
            is_expected = diagnostic.code == "E0401" and form == "on" and not is_faithful
            if diagnostic.code[0] != "E" or is_expected or _is_said(diagnostic):
                continue
            found = _told_by(diagnostic, form, wrong)
            if found.shape not in told:
                told.add(found.shape)
                yield found


def _is_said(diagnostic: Diagnostic) -> bool:
    """Whether Enzyme says itself what it does not differentiate."""
    return diagnostic.code == "E0301" and any(w in diagnostic.message for w in _NOT_THERE_YET)


def _told_by(diagnostic: Diagnostic, form: str, wrong: Collection[str]) -> Finding:
    """A finding; the cause of a wrong gradient is told by its variants, and not by its numbers."""
    found = from_diagnostic(diagnostic, "gradient", GRADIENT)
    shape = found.shape
    if diagnostic.code == "E0401":
        names = {stage.removeprefix("after:gradient:") for stage in wrong}
        shape = "wrong: " + ", ".join(sorted(n for n in names if n.partition(":")[0] == form))
    return replace(found, shape=shape, message=f"gradient {form}: {found.message}")
