"""Workers of a dask scheduler, on this machine or others, each with a process that judges."""

from __future__ import annotations

import queue
import threading
from dataclasses import asdict
from typing import Any

from fuzz.engine import Done
from fuzz.engine.local import done_by
from fuzz.judging import Job, job_from_plain, job_to_plain, judged_from_plain
from verify.toolchain.worker import Worker

_CONNECT_S = 20.0
_threads = threading.local()


class EngineError(Exception):
    """A scheduler that cannot be reached, or a package that is missing."""


def judge_remotely(plain: dict[str, Any]) -> dict[str, Any]:
    """Do one job in the process that belongs to this thread of a dask worker."""
    worker: Worker | None = getattr(_threads, "worker", None)
    if worker is None:
        worker = _threads.worker = Worker("fuzz.serve_judging")
    done = done_by(worker, job_from_plain(plain))
    judged = None if done.judged is None else asdict(done.judged)
    return {"judged": judged, "reason": done.reason}


class DaskEngine:
    """The workers of one scheduler; they may come and go."""

    def __init__(self, address: str) -> None:
        """Connect; raises `EngineError`."""
        try:
            from dask.distributed import Client
        except ModuleNotFoundError as error:
            words = "dask.distributed is not installed: pip install 'verify-ir[dist]'"
            raise EngineError(words) from error
        try:
            self._client: Any = Client(address, timeout=_CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise EngineError(f"no scheduler answers at `{address}`: {error}") from error
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._jobs: dict[str, Job] = {}

    @property
    def slots(self) -> int:
        """The threads of all workers, one at least."""
        return max(1, sum(self._client.nthreads().values()))

    def submit(self, job: Job) -> None:
        """Send a job."""
        future = self._client.submit(judge_remotely, job_to_plain(job), pure=False)
        self._jobs[future.key] = job
        future.add_done_callback(self._finished.put)

    def next(self, timeout_s: float) -> Done | None:
        """The next result."""
        try:
            return self._done(self._finished.get(timeout=timeout_s))
        except queue.Empty:
            return None

    def workers(self) -> list[str]:
        """The addresses of the workers."""
        return sorted(self._client.nthreads())

    def close(self) -> None:
        """Leave the scheduler."""
        self._client.close(timeout=5)

    def _done(self, future: Any) -> Done:
        job = self._jobs.pop(future.key)
        if future.status != "finished":
            return Done(job, None, f"the worker was lost ({future.status})")
        plain = future.result()
        judged = plain["judged"]
        return Done(job, None if judged is None else judged_from_plain(judged), plain["reason"])
