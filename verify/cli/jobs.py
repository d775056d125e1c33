"""Tasks done one after the other, or by several processes; outcomes come in the order of tasks."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress

from verify.driver import Outcome, Task, faulty, run_task

_FEW = 8

Progress = Callable[[int, Outcome], None]


def job_count(wanted: int, tasks: int) -> int:
    """How many processes to use; 0 asks for as many as pay off."""
    if wanted:
        return max(min(wanted, tasks), 1)
    return 1 if tasks < _FEW else min(os.cpu_count() or 1, tasks)


def run_tasks(tasks: Sequence[Task], jobs: int, progress: Progress) -> tuple[list[Outcome], bool]:
    """The outcomes, and whether an interrupt cut the run short; then they are those finished."""
    if jobs <= 1:
        return _run_here(tasks, progress)
    return _run_in_processes(tasks, jobs, progress)


def _run_here(tasks: Sequence[Task], progress: Progress) -> tuple[list[Outcome], bool]:
    outcomes: list[Outcome] = []
    try:
        for task in tasks:
            outcomes.append(run_task(task))
            progress(len(outcomes), outcomes[-1])
    except KeyboardInterrupt:
        return outcomes, True
    return outcomes, False


def _run_in_processes(
    tasks: Sequence[Task], jobs: int, progress: Progress
) -> tuple[list[Outcome], bool]:
    done: dict[int, Outcome] = {}
    is_interrupted = False
    try:
        _run_pool(dict(enumerate(tasks)), jobs, done, progress)
        for number, task in enumerate(tasks):
            # A worker died; each task that it left behind gets a process of its own.
            if number not in done:
                _run_pool({number: task}, 1, done, progress)
                done.setdefault(number, faulty(task.path, "the process that checked it died"))
    except KeyboardInterrupt:
        is_interrupted = True
    return [done[number] for number in sorted(done)], is_interrupted


def _run_pool(
    tasks: dict[int, Task], jobs: int, done: dict[int, Outcome], progress: Progress
) -> None:
    """Run `tasks` and add their outcomes to `done`; those lost with a dead worker are missing."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
    numbers: dict[Future[Outcome], int] = {}
    try:
        numbers |= {pool.submit(run_task, task): number for number, task in tasks.items()}
        waiting = set(numbers)
        while waiting:
            finished, waiting = wait(waiting, return_when="FIRST_COMPLETED")
            for future in finished:
                with suppress(BrokenProcessPool):
                    done[numbers[future]] = future.result()
                    progress(len(done), done[numbers[future]])
    except BrokenProcessPool:
        return
    except KeyboardInterrupt:
        _stop(pool, numbers, done)
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _stop(
    pool: ProcessPoolExecutor, numbers: dict[Future[Outcome], int], done: dict[int, Outcome]
) -> None:
    """Keep what is finished and end the workers."""
    for future, number in numbers.items():
        if future.done() and not future.cancelled() and future.exception() is None:
            done[number] = future.result()
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in multiprocessing.active_children():
        worker.terminate()
    deadline = time.monotonic() + 2.0
    for worker in multiprocessing.active_children():
        worker.join(max(deadline - time.monotonic(), 0))


def _leave_interrupts() -> None:
    """In a worker: leave Ctrl-C to the process that gives out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
