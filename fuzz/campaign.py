"""A campaign: plans rounds, gives jobs to an engine, commits what comes back, and then tells it.

All of its state is in the store; a campaign that was killed is built from there again.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from fuzz.coverage import Coverage
from fuzz.engine import Done, Engine
from fuzz.finding import CHECKER, Finding
from fuzz.judging import LOST, PUT_OFF, Job, Judged
from fuzz.planning import LAG, Planner
from fuzz.recipes import from_json, source_of, to_json
from fuzz.settings import Settings, first_look_s, is_due
from fuzz.store import Store
from fuzz.subject import Limits
from fuzz.tables import PLANNED, FoundRow, ProgramRow

_DEAR = {"replay": 4, "rewriting": 8, "gradient": 20}
"""Oracles that cost more than all others: they judge one program in so many."""
_MOST_ATTEMPTS = 3
_SLOW_SHARE = 0.25
_MOST_WAITING = 200
_SAMPLE_S = 2.0
_WAIT_S = 0.25
QUICK = Limits(solver_s=0.1, budget_s=0.06, is_quick=True)
"""For the first look at a program; one that needs more is put off."""
_SLOW = Limits(solver_s=5.0, pass_s=60.0, runs=20)


@dataclass(frozen=True, slots=True)
class Progress:
    """The numbers of a campaign at one moment; `rate` is programs a second of late."""

    seconds: float
    programs: int
    judged: int
    put_off: int
    rate: float
    pairs: int
    findings: int
    groups: int
    workers: tuple[str, ...]
    waiting: int = 0


class Watcher(Protocol):
    """Who is told what happens; a finding is told after it was committed."""

    def finding(self, row: FoundRow, *, is_new: bool) -> None:
        """A finding, and whether its group is new."""
        ...

    def trouble(self, text: str) -> None:
        """Something that went wrong on the way."""
        ...

    def progress(self, now: Progress) -> None:
        """The numbers now and then."""
        ...


class Campaign:
    """One run of a campaign, from the start or from where it was left."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        engine: Engine,
        versions: Mapping[str, str],
        watcher: Watcher,
        known: frozenset[str] = frozenset(),
    ) -> None:
        """`known` are groups that are not told again."""
        self.store, self.settings, self.engine = store, settings, engine
        self.versions, self.watcher, self.known = dict(versions), watcher, known
        self.planner = Planner(settings)
        self.coverage = Coverage()
        self.groups = store.group_names()
        self._seeds = store.seeds()
        self.findings = len(store.findings())
        self._ready: deque[ProgramRow] = deque()
        self._slow: deque[ProgramRow] = deque()
        self._left: Counter[int] = Counter()
        self._rounds = self._applied = self._programs = self._judged = 0
        self._rows: dict[int, ProgramRow] = {}
        self._running: dict[int, tuple[ProgramRow, int]] = {}
        self._backlog: deque[Judged] = deque()
        self._untold: deque[FoundRow] = deque()
        self._spent = {False: 0.0, True: 0.0}
        campaign = store.campaign()
        self._before = float(campaign["seconds"]) if campaign else 0.0
        self._begin = time.monotonic()
        self._sampled = 0.0
        self._recent: deque[tuple[float, int]] = deque(maxlen=15)
        self._restore()

    @property
    def seconds(self) -> float:
        """How long the campaign has run, earlier runs included."""
        return self._before + time.monotonic() - self._begin

    def run(self, should_stop: Callable[[], bool] = lambda: False) -> str:
        """Go on until it is done or time is up; gives `done` or `stopped`."""
        while not self._is_over() and not should_stop():
            self._submit()
            done = self.engine.next(_WAIT_S)
            if done is not None:
                self._handle(done)
            self._drain()
            self._tick()
        state = "done" if self._is_over() else "stopped"
        self.finish(state)
        return state

    def finish(self, state: str) -> None:
        """Commit what waits, and how far the campaign is."""
        self._drain()
        self._tick(is_last=True)
        try:
            self.store.set_state(state, self.seconds)
        except sqlite3.OperationalError as error:
            self.watcher.trouble(f"how the campaign ended cannot be written: {error}")

    # Planning

    def _restore(self) -> None:
        for row in self.store.programs():
            self._rounds = max(self._rounds, row.round + 1)
            self._take(row)

    def _take(self, row: ProgramRow) -> None:
        self._rows[row.number] = row
        self._programs += 1
        if row.status == PLANNED:
            self._left[row.round] += 1
            self._ready.append(row)
        elif row.status == PUT_OFF:
            self._slow.append(row)
        else:
            self._judged += 1
            self.coverage.add(row.features)

    def _is_over(self) -> bool:
        limit = self.settings.time_s
        if limit is not None and self.seconds >= limit:
            return True
        is_idle = not (self._ready or self._running or self._slow or self._backlog)
        return is_idle and not self._can_plan_more()

    def _can_plan_more(self) -> bool:
        if self.settings.mode == "coverage":
            return self._programs < len(self.settings.corpus)
        return self.settings.count is None or self._programs < self.settings.count

    def _plan(self) -> bool:
        """Plan one more round if it may be; the rounds that it learns from must be complete."""
        needed = self._rounds - LAG
        if not self._can_plan_more() or any(self._left[r] for r in range(needed + 1)):
            return False
        while self._applied <= needed:
            rows = [r for r in self._rows.values() if r.round == self._applied]
            self.planner.apply(rows)
            for row in rows:
                self._rows.pop(row.number)
            self._applied += 1
        recipes = self.planner.plan(self._rounds)
        if self.settings.count is not None:
            recipes = recipes[: self.settings.count - self._programs]
        first = self._programs
        lines = [to_json(recipe) for recipe in recipes]
        self.store.plan(self._rounds, first, lines)
        for i, line in enumerate(lines):
            self._take(ProgramRow(first + i, self._rounds, line, PLANNED, "", 0.0, ()))
        self._rounds += 1
        return True

    # Jobs

    def _submit(self) -> None:
        while len(self._running) < 2 * self.engine.slots and len(self._backlog) < _MOST_WAITING:
            row = self._next()
            if row is None:
                return
            self._start(row, 1)

    def _next(self) -> ProgramRow | None:
        spent = self._spent
        if self._slow and not self.settings.is_steady:
            total = spent[True] + spent[False]
            slow_now = sum(1 for r, _ in self._running.values() if r.status == PUT_OFF)
            if spent[True] <= _SLOW_SHARE * total and slow_now < max(1, self.engine.slots // 2):
                return self._slow.popleft()
        if self._ready or self._try_plan():
            return self._ready.popleft()
        if self._slow and not self._can_plan_more():
            return self._slow.popleft()
        return None

    def _try_plan(self) -> bool:
        try:
            return self._plan() and bool(self._ready)
        except sqlite3.OperationalError as error:
            self._trouble(f"the next round cannot be written: {error}")
            return False

    def _start(self, row: ProgramRow, attempt: int) -> None:
        asked = tuple(o for o in self.settings.oracles if self._is_asked(o, row.number))
        self._running[row.number] = (row, attempt)
        base = self._seeds.get(source_of(from_json(row.recipe)), "")
        wanted = self.settings.targets
        targets = tuple(t for t in wanted if is_due(t, row.number, wanted))
        budget_s = first_look_s(self.settings.budget_s, targets, asked)
        limits = _SLOW if row.status == PUT_OFF else replace(QUICK, budget_s=budget_s)
        job = Job(row.number, row.recipe, targets, asked, limits, base)
        self.engine.submit(job)

    def _is_asked(self, oracle: str, number: int) -> bool:
        """Whether an oracle judges the program of a number; one that is alone judges each."""
        cheapest = min(_DEAR.get(each, 1) for each in self.settings.oracles)
        return number % max(_DEAR.get(oracle, 1) // cheapest, 1) == 0

    def _handle(self, done: Done) -> None:
        row, attempt = self._running.pop(done.job.number)
        judged = done.judged
        if judged is None:
            self._trouble(f"program {row.number}: {done.reason}")
            is_timeout = "did not end within" in done.reason
            if attempt < _MOST_ATTEMPTS and not is_timeout:
                self._start(row, attempt + 1)
                return
            judged = _lost(row.number, done.reason)
        self._spent[row.status == PUT_OFF] += judged.seconds.get("all", 0.0)
        if row.status == PLANNED:
            self._left[row.round] -= 1
        kept = replace(row, status=judged.status, features=judged.features)
        if row.number in self._rows:
            self._rows[row.number] = kept
        if judged.status == PUT_OFF:
            self._slow.append(kept)
        else:
            self._judged += 1
            self.coverage.add(judged.features)
        self._backlog.append(judged)

    def _drain(self) -> None:
        """Commit results; a full disk keeps them waiting, untold.

        What an interruption leaves untold is told when this is called again.
        """
        self._tell_all()
        while self._backlog:
            try:
                self._untold += self.store.record(self._backlog[0], self.seconds, self.versions)
            except sqlite3.OperationalError as error:
                self._trouble(f"{len(self._backlog)} results wait to be written: {error}")
                time.sleep(_WAIT_S)
                return
            self._backlog.popleft()
            self._tell_all()

    def _tell_all(self) -> None:
        while self._untold:
            self._tell(self._untold[0])
            self._untold.popleft()

    def _tell(self, row: FoundRow) -> None:
        group = row.finding.group
        self.watcher.finding(row, is_new=group not in self.groups and group not in self.known)
        # Only now: what an interruption leaves half told is told again, and is new then too.
        self.groups.add(group)
        self.findings += 1

    def _trouble(self, text: str) -> None:
        self.watcher.trouble(text)
        try:
            self.store.add_event(self.seconds, text)
        except sqlite3.OperationalError:
            return  # the disk is full, which was just told

    # Numbers

    def _tick(self, *, is_last: bool = False) -> None:
        now = time.monotonic()
        if now - self._sampled < _SAMPLE_S and not is_last:
            return
        self._sampled = now
        self._recent.append((now, self._judged))
        progress = self.progress()
        self.watcher.progress(progress)
        try:
            self.store.add_sample(
                progress.seconds, progress.judged, progress.pairs, progress.groups,
                len(progress.workers),
            )  # fmt: skip
        except sqlite3.OperationalError as error:
            self._trouble(f"a sample cannot be written: {error}")

    def progress(self) -> Progress:
        """The numbers now."""
        (first, before), (last, after) = self._recent[0], self._recent[-1]
        return Progress(
            self.seconds, self._programs, self._judged, len(self._slow),
            (after - before) / max(last - first, 0.001),
            len(self.coverage.counts), self.findings, len(self.groups),
            tuple(self.engine.workers()), len(self._backlog),
        )  # fmt: skip


def _lost(number: int, reason: str) -> Judged:
    words = reason.split(":", 1)[0]
    found = Finding("checker", "", "U0004", f"judging gave no result: {reason}", words, CHECKER)
    return Judged(number, LOST, findings=(found,))
