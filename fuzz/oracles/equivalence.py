"""A function must do after a pass what it did before (E0302)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fuzz.finding import CHECKER, COMPILER, Finding, from_diagnostic
from fuzz.subject import Subject


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """Each function that a run shows to be changed."""
    for target in targets:
        for stage in subject.equivalence(target).values():
            for diagnostic in stage.diagnostics:
                if diagnostic.code == "E0302":
                    blames = COMPILER if ":" in target else CHECKER
                    yield from_diagnostic(diagnostic, "equivalence", target, blames=blames)
