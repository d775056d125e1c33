"""Hunts mutants: programs in a fixed order, until an oracle finds one out or the count is over.

What the code without the fault says of the same program does not count.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from threading import local
from typing import Any

from fuzz import mutants
from fuzz.finding import Finding
from fuzz.mutants import Mutant
from fuzz.mutation.trial import TWIN, Trial
from verify.toolchain.worker import Worker, WorkerError, WorkerTimeoutError

_MODULE = "fuzz.mutation.serve"
_WAIT_S = 0.5
HANGS_AFTER_S = 30.0
AFTER_TWIN = 200
"""Programs that a mutant is hunted on for after only its twin has told it apart."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a hunt ends without a kill; `seed` decides the programs."""

    count: int = 2000
    time_s: float = 300.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Kill:
    """The first finding of an oracle that only the mutant gives."""

    oracle: str
    code: str
    message: str
    programs: int
    seconds: float


@dataclass(slots=True)
class Hunt:
    """What came of one mutant; `unjudged` are programs that took too long or lost a process."""

    name: str
    fault: str
    programs: int = 0
    unjudged: int = 0
    seconds: float = 0.0
    kills: list[Kill] = field(default_factory=list[Kill])
    trouble: str = ""

    @property
    def first(self) -> Kill | None:
        """The kill that came first; of one program, that of the oracle that was asked first.

        The comparison with a twin comes last.
        """
        return self.kills[0] if self.kills else None

    @property
    def own(self) -> Kill | None:
        """The first kill that needs no real pass to compare with."""
        return next((kill for kill in self.kills if kill.oracle != TWIN), None)

    def is_over(self, limits: Limits) -> bool:
        """Whether no more programs are needed."""
        if any(kill.oracle != TWIN for kill in self.kills):
            return True
        if self.kills and self.programs >= self.kills[0].programs + AFTER_TWIN:
            return True
        return self.programs >= limits.count or self.seconds >= limits.time_s


class Hunter:
    """Hunts one mutant after the other in one process, with another one for the sane code."""

    def __init__(self, limits: Limits) -> None:
        """The processes start when they are needed."""
        self.limits = limits
        self._sane = Worker(_MODULE)
        self._faulty: Worker | None = None
        self.is_stopped = False

    def hunt(self, name: str) -> Hunt:
        """Try programs on a mutant."""
        mutant = mutants.load(name)
        hunt, begin = Hunt(name, mutant.fault), time.monotonic()
        self._faulty = Worker(_MODULE)
        try:
            while not hunt.is_over(self.limits) and not self.is_stopped:
                self._try(mutant, hunt, begin)
                hunt.seconds = time.monotonic() - begin
        finally:
            self._faulty.close()
        return hunt

    def _try(self, mutant: Mutant, hunt: Hunt, begin: float) -> None:
        folder = mutant.name.partition("/")[0]
        trial = Trial(mutant.name, folder, mutant.families, self.limits.seed, hunt.programs)
        assert self._faulty is not None
        found = _asked(self._faulty, trial)
        hunt.programs += 1
        if found is None:
            hunt.unjudged += 1
        if not found or self.is_stopped:
            return
        sane = _asked(self._sane, replace(trial, mutant=""))
        if sane is None:
            hunt.unjudged += 1
            return
        usual = {(f.oracle, f.code) for f in sane} | {(k.oracle, "") for k in hunt.kills}
        seconds = time.monotonic() - begin
        for each in sorted(found, key=lambda f: f.oracle == TWIN):
            if (each.oracle, each.code) not in usual and (each.oracle, "") not in usual:
                usual.add((each.oracle, ""))
                kill = Kill(each.oracle, each.code, each.message, hunt.programs, seconds)
                hunt.kills.append(kill)

    def close(self) -> None:
        """End the processes, also in the middle of a program."""
        self.is_stopped = True
        for worker in (self._sane, self._faulty):
            if worker is not None and worker.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGKILL)
                worker.close()


def _asked(worker: Worker, trial: Trial) -> list[Finding] | None:
    try:
        plain = worker.call("judge", asdict(trial), timeout_s=HANGS_AFTER_S).header["findings"]
    except WorkerTimeoutError as error:
        return [Finding("crash", "", "E0306", error.reason, "hangs")]
    except WorkerError as error:
        return [Finding("crash", "", "E0304", error.reason, "dies")]
    return None if plain is None else [Finding(**each) for each in plain]


def hunt_all(
    names: Sequence[str], limits: Limits, jobs: int, tell: Callable[[Hunt], None]
) -> tuple[list[Hunt], bool]:
    """Hunt several mutants; an interrupt gives what is known, and says so."""
    hunters: list[Hunter] = []
    own: Any = local()

    def run(name: str) -> Hunt:
        if not hasattr(own, "hunter"):
            own.hunter = Hunter(limits)
            hunters.append(own.hunter)
        return own.hunter.hunt(name)

    done: list[Hunt] = []
    pool = ThreadPoolExecutor(jobs)
    waiting: set[Future[Hunt]] = {pool.submit(run, name) for name in names}
    is_interrupted = False
    try:
        while waiting:
            ended, waiting = wait(waiting, _WAIT_S, FIRST_COMPLETED)
            for future in ended:
                done.append(future.result())
                tell(done[-1])
    except KeyboardInterrupt:
        is_interrupted = True
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for hunter in hunters:
            hunter.close()
    return sorted(done, key=lambda hunt: names.index(hunt.name)), is_interrupted
