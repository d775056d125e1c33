"""Verdicts against runs of a reference that shares no rule with `verify`.

A drawn program with checkpointed loops is run and replayed; a token program has its order closed
on all small inputs. The replay oracle cannot see what both carriers get wrong, this one can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fuzz.finding import CHECKER, Finding
from fuzz.references import order_verdicts, replay_verdicts
from fuzz.strategies import syntax, token_syntax
from fuzz.subject import Subject

_TRIES = 20


def judge(subject: Subject, _targets: Sequence[str]) -> Iterator[Finding]:
    """What runs of the reference say against the verdict on a drawn program."""
    with subject.timed("reference"):
        faults, evidence = _faults(subject)
    for fault in dict.fromkeys(faults):
        message = f"the reference contradicts the verdict: {fault}"
        yield Finding("reference", "", "E0302", message, fault, CHECKER, evidence)


def _faults(subject: Subject) -> tuple[list[str], str]:
    program = subject.program
    if isinstance(program, syntax.Program):
        (stage,) = subject.verdicts().values()
        views = replay_verdicts.judge_verdict(program, stage, seed=0, tries=_TRIES)
        is_seen = "undecided, but runs diverge" in views.notes
        return [*views.faults, *_denied(views.reasons, is_seen=is_seen)], views.evidence
    if isinstance(program, token_syntax.Program):
        case = order_verdicts.case_of(program)
        tokens = order_verdicts.judge_result(case, subject.verdicts()["f"], sees_data=False)
        denied = _denied(tokens.reasons, is_seen=bool(tokens.truth))
        return [*tokens.faults, *denied], "\n".join(tokens.evidence)
    return [], ""


def _denied(reasons: list[str], *, is_seen: bool) -> list[str]:
    """A counterexample that the replay does not confirm, where the reference has a real one."""
    return ["a true counterexample is not confirmed"] * (
        is_seen and any(reason.startswith("U0003") for reason in reasons)
    )
