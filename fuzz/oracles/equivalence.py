"""A function must do after a pass what it did before (E0302)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fuzz.finding import CHECKER, COMPILER, Finding, from_diagnostic
from fuzz.subject import Subject
from verify.diagnostic import Diagnostic


def judge(subject: Subject, targets: Sequence[str]) -> Iterator[Finding]:
    """Each function that a run shows to be changed."""
    for target in targets:
        for stage in subject.equivalence(target).values():
            for diagnostic in stage.diagnostics:
                if diagnostic.code == "E0302":
                    blames = COMPILER if ":" in target else CHECKER
                    told = _said_of(diagnostic, target)
                    yield from_diagnostic(told, "equivalence", target, blames=blames)


def _said_of(diagnostic: Diagnostic, target: str) -> Diagnostic:
    """The diagnostic with the name of a pass: passes that give the same are compared once."""
    first = diagnostic.stage.removeprefix("after:")
    message = diagnostic.message.replace(f"`{first}`", f"`{target}`")
    return replace(diagnostic, message=message)
