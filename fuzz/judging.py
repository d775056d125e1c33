"""Judges one program of a campaign: a job goes in as plain data, and so does what came of it.

`judge` runs in the main thread of a worker process.
"""

from __future__ import annotations

import re
import time
import traceback
from dataclasses import asdict, dataclass, field
from typing import Any

from fuzz import oracles, recipes
from fuzz.coverage import AFTER, VERDICT, features_of
from fuzz.finding import CHECKER, Finding
from fuzz.subject import Limits, PutOffError, Subject, budget, subject_of, verdict_of, wants

JUDGED, PUT_OFF, INVALID, FAULTY, LOST = "judged", "put-off", "invalid", "faulty", "lost"


@dataclass(frozen=True, slots=True)
class Job:
    """One program to judge, with what to judge it by; `base` is the file of an edited one."""

    number: int
    recipe: str
    targets: tuple[str, ...]
    oracles: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)
    base: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a job: `features` are what was seen, `seconds` where the time went."""

    number: int
    status: str
    verdict: str = ""
    features: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    text: str = ""


def job_to_plain(job: Job) -> dict[str, Any]:
    """The job as JSON takes it."""
    return asdict(job)


def job_from_plain(plain: dict[str, Any]) -> Job:
    """The job that `job_to_plain` gave."""
    given: dict[str, Any] = {
        **plain,
        "targets": tuple(plain["targets"]),
        "oracles": tuple(plain["oracles"]),
        "limits": Limits(**plain["limits"]),
    }
    return Job(**given)


def judged_from_plain(plain: dict[str, Any]) -> Judged:
    """The result that `asdict` made plain."""
    found = tuple(Finding(**each) for each in plain["findings"])
    given: dict[str, Any] = {**plain, "features": tuple(plain["features"]), "findings": found}
    return Judged(**given)


def judge(job: Job) -> Judged:
    """Draw the program, run it through the targets, and ask every oracle."""
    begin = time.perf_counter()
    recipe = recipes.from_json(job.recipe)
    try:
        text = recipes.text_of(recipe, job.base)
        drawn = time.perf_counter() - begin
        found = _judge_text(job, text, recipe)
    except Exception as error:  # noqa: BLE001 - a fault of the checker is a finding
        return Judged(
            job.number, FAULTY, findings=(_fault(error),), text=_text_if_any(recipe, job.base)
        )
    found.seconds["draw"] = drawn
    found.seconds["all"] = time.perf_counter() - begin
    return found


def _text_if_any(recipe: recipes.Recipe, base: str) -> str:
    try:
        return recipes.text_of(recipe, base)
    except Exception:  # noqa: BLE001 - the generator itself is at fault
        return ""


def _judge_text(job: Job, text: str, recipe: recipes.Recipe) -> Judged:
    subject = subject_of(text, job.limits, job.targets)
    if {"reference", "native"} & {*job.oracles} and isinstance(recipe, recipes.Draw):
        subject.program = recipes.program_of(recipe)
    if subject.parsed.module is None:
        found = _invalid(subject) if isinstance(recipe, recipes.Draw) else ()
        return Judged(job.number, INVALID, findings=found, seconds=subject.seconds, text=text)
    targets = [t for t in job.targets if wants(t, subject.parsed)]
    features = features_of(subject.parsed.module)
    try:
        with budget(job.limits.budget_s):
            findings = [f for name in job.oracles for f in oracles.load(name)(subject, targets)]
            verdict = verdict_of(subject.verdicts())
        is_open = job.limits.budget_s is not None and _ran_out(subject)
    except PutOffError:
        is_open, findings, verdict = True, [], None
    if is_open or verdict is None:
        seen = tuple(sorted(features))
        return Judged(job.number, PUT_OFF, features=seen, seconds=subject.seconds)
    features |= _told(subject, targets)
    kept = {(f.group, f.message): f for f in findings}
    return Judged(
        job.number, JUDGED, verdict.value, tuple(sorted(features)), tuple(kept.values()),
        subject.seconds, text if kept else "",
    )  # fmt: skip


def _ran_out(subject: Subject) -> bool:
    """Whether the solver would have needed more time."""
    stages = subject.verdicts().values()
    return any(d.code == "U0001" for stage in stages for d in stage.diagnostics)


def _told(subject: Subject, targets: list[str]) -> set[str]:
    """The features that only a judgement shows."""
    codes = {d.code for s in subject.verdicts().values() for d in s.diagnostics}
    errors = sorted(c for c in codes if c[0] in "EUW")
    found = {f"{VERDICT}:{code}" for code in errors or ["proven"]}
    for target in targets:
        outcome = subject.outcome(target)
        if outcome.diagnostics:
            how = outcome.diagnostics[0].code
        else:
            how = "changed" if subject.is_changed(target) else "same"
        found.add(f"{AFTER}:{target}/{how}")
    return found


def _invalid(subject: Subject) -> tuple[Finding, ...]:
    error = subject.parsed.errors[0]
    words = re.sub(r"[%@]\w+|\d+", "_", error.message)
    return (Finding("drawing", "", error.code, f"a drawn program is invalid: {error.message}",
                    words, CHECKER),)  # fmt: skip


def _fault(error: Exception) -> Finding:
    frames = traceback.extract_tb(error.__traceback__)
    place = " < ".join(f"{f.name}" for f in reversed(frames[-3:]))
    words = "".join(traceback.format_exception(error))
    message = f"the checker failed: {type(error).__name__}: {str(error).splitlines()[:1]}"
    return Finding(
        "checker", "", "U0004", message, f"{type(error).__name__} {place}", CHECKER, words
    )
