"""The work of triage: every group that is not reduced yet, one after the other.

What came of a group is committed before the next one is begun, so that triage may be killed at any
moment.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fuzz.finding import COMPILER
from fuzz.oracles import ON_DEMAND, ORACLES
from fuzz.recipes import from_json, source_of
from fuzz.settings import Settings
from fuzz.store import Store
from fuzz.triage.causes import Member, causes_in, members_of
from fuzz.triage.known import FOLDER, blamed, look_at_known, pipeline_of
from fuzz.triage.process import Performer
from fuzz.triage.task import PARTIAL, Reduction, Task, code_lines
from verify.toolchain.registry import PassUsageError, check_spec, toolchains

Tell = Callable[[str], None]
Work = Callable[[Task], Reduction]
GROUP_S = 60.0
_LEAST_S = 2.0
_KNOWN_S = 10.0
_DEAR_ORACLES = frozenset({"replay", "rewriting", "gradient"})
"""Oracles that are asked only about their own findings."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to do: `seconds` for all, `group_s` for each; `goes_on` takes up partial ones."""

    seconds: float | None = None
    group_s: float = GROUP_S
    known: Path = FOLDER
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Triaged:
    """How far triage came."""

    groups: int
    reduced: int
    left: int
    causes: int


def triage(
    store: Store,
    plan: Plan | None = None,
    tell: Tell = lambda _text: None,
    work: Performer | None = None,
) -> Triaged:
    """Reduce the groups of a store that are not reduced yet, as far as the time goes."""
    plan = plan or Plan()
    with work or Performer() as performer:
        _work(store, plan, tell, performer.perform)
    members = members_of(store)
    done = sum(m.reduction is not None for m in members)
    return Triaged(len(members), done, len(members) - done, len(causes_in(store)))


def _work(store: Store, plan: Plan, tell: Tell, work: Work) -> None:
    end = None if plan.seconds is None else time.monotonic() + plan.seconds
    waiting = _waiting(store, plan)
    starts = {g: t for m in members_of(store) for g, t in _others_on(m.reduction).items()}
    for number, (task, found) in enumerate(waiting):
        left = _limit(end, len(waiting) - number, plan.group_s)
        if left is None:
            break
        start = starts.get(task.group)
        first = task if start is None else replace(task, text=start, recipe="")
        done = replace(work(replace(first, seconds=left)), lines_before=code_lines(found))
        starts |= _others_on(done)
        _commit(store, done, tell)
    _known(store, plan, end, tell, work)


def _others_on(done: Reduction | None) -> dict[str, str]:
    """The program of a group, by the groups of other passes that show on it as well.

    Their own programs are larger, and would most likely become the same one.
    """
    if done is None or not done.is_shown:
        return {}
    return {each.group: done.text for each in done.sightings if each.group not in ("", done.group)}


def _limit(end: float | None, groups: int, group_s: float) -> float | None:
    """The time for one more group; the time that is left is for all that wait."""
    if end is None:
        return group_s
    left = end - time.monotonic()
    if left < _LEAST_S:
        return None
    return min(group_s, max(_LEAST_S, 2 * left / groups), left)


def _commit(store: Store, done: Reduction, tell: Tell) -> None:
    try:
        store.put("reduction", done.group, done.state, json.dumps(done.to_plain()))
    except sqlite3.OperationalError as error:
        tell(f"group {done.group}: its reduction cannot be written: {error}")
        return
    words = f": {done.why}" if done.why else ""
    tell(
        f"group {done.group}: {done.lines_before} -> {done.lines} lines, {done.ops} ops"
        f" ({done.seconds:.1f} s, {done.state}{words})"
    )


def _waiting(store: Store, plan: Plan) -> list[tuple[Task, str]]:
    """The tasks that are left, with the programs as they were found.

    Compilers come before the checker, and what shows often comes first.
    """
    campaign = store.campaign()
    if campaign is None:
        return []
    settings = Settings.from_plain(campaign["settings"])
    members = members_of(store)
    members.sort(key=lambda m: (m.finding.blames != COMPILER, -m.programs))
    new = [m for m in members if m.reduction is None and m.row.text]
    old = [m for m in members if plan.goes_on and _is_open(m)]
    tasks = list(_tasks(store, settings, [*new, *old]))
    for number, member in enumerate(old, len(new)):
        assert member.reduction is not None
        tasks[number] = replace(tasks[number], text=member.reduction.text, recipe="")
    return [(task, m.row.text) for task, m in zip(tasks, [*new, *old], strict=True)]


def _is_open(member: Member) -> bool:
    return member.reduction is not None and member.reduction.state == PARTIAL


def _tasks(store: Store, settings: Settings, members: Sequence[Member]) -> Iterator[Task]:
    seeds = store.seeds()
    for member in members:
        found = member.finding
        (row,) = store.programs("WHERE number = ?", (member.row.number,))
        yield Task(
            "reduce", found.group, found.oracle, found.target, found.code, member.row.text,
            row.recipe, seeds.get(source_of(from_json(row.recipe)), ""),
            specs_for(found.target, settings.targets), _oracles_for(found.oracle, settings.oracles),
        )  # fmt: skip


def specs_for(target: str, targets: Sequence[str]) -> tuple[str, ...]:
    """The passes of a campaign, and the pass of a finding in every toolchain that has it."""
    if ":" not in target:
        return tuple(targets)
    pipeline = pipeline_of(target)
    others = [f"{name}:{pipeline}" for name in _compilers() if _has(f"{name}:{pipeline}")]
    return tuple(dict.fromkeys([target, *others, *targets]))


def _compilers() -> list[str]:
    return [each.name for each in toolchains() if each.available and each.name != "verify-ir"]


def _has(spec: str) -> bool:
    try:
        check_spec(spec)
    except PassUsageError:
        return False
    return True


def _oracles_for(own: str, oracles: Sequence[str]) -> tuple[str, ...]:
    """The oracles of a campaign that are worth asking about a reduced program.

    A fault of the checker names none: it may have come up in any of them.
    """
    skipped = _DEAR_ORACLES.union(ON_DEMAND) - {own} if own in ("", *ORACLES) else frozenset[str]()
    return tuple(name for name in ORACLES if name in oracles and name not in skipped)


def _known(store: Store, plan: Plan, end: float | None, tell: Tell, work: Work) -> None:
    """Look at what is known, as far as it is about passes with findings."""
    campaign = store.campaign()
    passes = frozenset(
        blamed(m.finding.target) for m in members_of(store) if ":" in m.finding.target
    )
    if campaign is None or not passes or not plan.known.is_dir():
        return
    settings = Settings.from_plain(campaign["settings"])
    oracles = _oracles_for("", settings.oracles)
    count = 0
    for _ in look_at_known(store, plan.known, passes, oracles, work):
        count += 1
        if end is not None and time.monotonic() > end + _KNOWN_S:
            break
    if count:
        tell(f"{count} known findings looked at in {plan.known}")
