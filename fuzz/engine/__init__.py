"""Where jobs are done: an engine takes jobs, and gives back what came of them in any order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fuzz.judging import Job, Judged


@dataclass(frozen=True, slots=True)
class Done:
    """A job with its result, or with the reason why there is none."""

    job: Job
    judged: Judged | None
    reason: str = ""


class Engine(Protocol):
    """Takes jobs and gives results."""

    @property
    def slots(self) -> int:
        """How many jobs can be done at once, now."""
        ...

    def submit(self, job: Job) -> None:
        """Take a job."""
        ...

    def next(self, timeout_s: float) -> Done | None:
        """The next result; nothing when none comes in time."""
        ...

    def workers(self) -> list[str]:
        """A word on each worker."""
        ...

    def close(self) -> None:
        """Drop all jobs and end the workers."""
        ...
