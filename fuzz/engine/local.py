"""Processes of this machine, each served by a thread; one that dies is replaced."""

from __future__ import annotations

import queue
import threading

from fuzz.engine import Done
from fuzz.judging import Job, job_to_plain, judged_from_plain
from verify.toolchain.worker import Worker, WorkerError

HARD_LIMIT_S = 120.0
_MODULE = "fuzz.serve_judging"


class LocalEngine:
    """`jobs` processes."""

    def __init__(self, jobs: int) -> None:
        """Start the threads; a process starts with the first job of its thread."""
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Done] = queue.SimpleQueue()
        self._workers = [Worker(_MODULE) for _ in range(jobs)]
        self._busy: dict[int, int] = {}
        self._is_closing = False
        for index, worker in enumerate(self._workers):
            worker.start()
            threading.Thread(target=self._serve, args=(index, worker), daemon=True).start()

    @property
    def slots(self) -> int:
        """One for each process."""
        return len(self._workers)

    def submit(self, job: Job) -> None:
        """Take a job."""
        self._jobs.put(job)

    def next(self, timeout_s: float) -> Done | None:
        """The next result."""
        try:
            return self._done.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def workers(self) -> list[str]:
        """The process and what it is at."""
        return [
            f"{worker.pid or '-'}: {self._busy.get(i, 'idle')}"
            for i, worker in enumerate(self._workers)
        ]

    def close(self) -> None:
        """Kill the processes."""
        self._is_closing = True
        for worker in self._workers:
            self._jobs.put(None)
            pid = worker.pid
            if pid is not None:
                _kill(pid)

    def _serve(self, index: int, worker: Worker) -> None:
        while (job := self._jobs.get()) is not None and not self._is_closing:
            self._busy[index] = job.number
            self._done.put(done_by(worker, job))
            self._busy.pop(index, None)
        worker.close()


def done_by(worker: Worker, job: Job) -> Done:
    """Let a worker do a job; why it could not is told in words."""
    try:
        reply = worker.call("judge", job_to_plain(job), timeout_s=HARD_LIMIT_S)
    except WorkerError as error:
        last = error.stderr.strip().splitlines()[-1:]
        return Done(job, None, f"the worker {error.reason}" + "".join(f": {x}" for x in last))
    return Done(job, judged_from_plain(reply.header))


def _kill(pid: int) -> None:
    import contextlib
    import os
    import signal

    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
