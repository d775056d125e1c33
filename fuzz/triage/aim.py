"""What a reduction must keep: the cause of a finding on a program, and not its code alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fuzz.judging import Job, judge
from fuzz.oracles import ORACLES
from fuzz.recipes import Edit, to_json
from fuzz.subject import Limits
from fuzz.triage.task import Task
from verify.ir.frontend import read_text
from verify.ir.module import ParsedModule
from verify.reduce.judge import PASS_FAILURES, failures_of, keeps_failure
from verify.toolchain.outcome import RunOptions

LIMITS = Limits(solver_s=1.0, pass_s=10.0, runs=12)
AS_IT_IS = to_json(Edit("program.mlir", 0, 0, 0))
"""The recipe of a text without edits."""
_VERDICTS = ("proven", "undecided", "refuted")

Holds = Callable[[ParsedModule], bool]


@dataclass(frozen=True, slots=True)
class Aim:
    """`holds` tells whether a program still shows the cause.

    `right` are programs on which it does that have no fault of their own, the last one the
    smallest; `holds_on_right` wants that too.
    """

    holds: Holds
    right: list[str] = field(default_factory=list[str])
    holds_on_right: Holds | None = None


def aim_of(task: Task) -> Aim | None:
    """What to keep of a finding; nothing when it does not show on its program."""
    if task.code in PASS_FAILURES and task.target:
        options = RunOptions(LIMITS.pass_s)
        found = failures_of((task.target,), read_text(task.text, "program.mlir"), options)
        causes = [cause for cause in found if cause.code == task.code]
        if causes:
            return Aim(keeps_failure(causes[0], (task.target,), options))
    return named_aim(task)


def named_aim(task: Task) -> Aim | None:
    """The aim that the finding's own oracle decides: it must name the same group."""
    first = groups_on(task, task.text)
    if task.group not in first.groups:
        return None
    allowed = _VERDICTS[: _VERDICTS.index(first.verdict) + 1] if first.verdict else ()
    right: list[str] = []

    def holds(parsed: ParsedModule) -> bool:
        now = groups_on(task, parsed.source.text)
        is_shown = task.group in now.groups
        if is_shown and now.verdict == "proven":
            right.append(parsed.source.text)
        return is_shown and (not allowed or now.verdict in allowed)

    def holds_on_right(parsed: ParsedModule) -> bool:
        now = groups_on(task, parsed.source.text)
        return task.group in now.groups and now.verdict == "proven"

    return Aim(holds, right, holds_on_right)


@dataclass(frozen=True, slots=True)
class Shown:
    """The groups that an oracle names on a program, and the program's own verdict."""

    groups: frozenset[str]
    verdict: str


def groups_on(task: Task, text: str) -> Shown:
    """What the oracle of a finding, or all where it has none, finds on a program."""
    oracles = (task.oracle,) if task.oracle in ORACLES else task.oracles
    targets = (task.target,) if task.target else task.specs
    judged = judge(Job(0, AS_IT_IS, targets, oracles, LIMITS, base=text))
    return Shown(frozenset(f.group for f in judged.findings), judged.verdict)
