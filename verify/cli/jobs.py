"""Work done one item after the other, or by several processes; results come in item order."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar

_FEW = 8

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Work(Generic[Item, Result]):
    """What to do with an item, what to say of one whose process died, and whom to tell.

    `progress` gets the number of results so far and the newest one, in the order of their ends.
    """

    run: Callable[[Item], Result]
    lost: Callable[[Item], Result]
    progress: Callable[[int, Result], None] = field(default=lambda _number, _result: None)


def job_count(wanted: int, items: int) -> int:
    """How many processes to use; 0 asks for as many as pay off."""
    if wanted:
        return max(min(wanted, items), 1)
    return 1 if items < _FEW else min(os.cpu_count() or 1, items)


def run_each(
    work: Work[Item, Result], items: Sequence[Item], jobs: int
) -> tuple[list[Result], bool]:
    """The results, and whether an interrupt cut the run short; then they are those finished."""
    if jobs <= 1:
        return _run_here(work, items)
    return _run_in_processes(work, items, jobs)


def _run_here(work: Work[Item, Result], items: Sequence[Item]) -> tuple[list[Result], bool]:
    results: list[Result] = []
    try:
        for item in items:
            results.append(work.run(item))
            work.progress(len(results), results[-1])
    except KeyboardInterrupt:
        return results, True
    return results, False


def _run_in_processes(
    work: Work[Item, Result], items: Sequence[Item], jobs: int
) -> tuple[list[Result], bool]:
    done: dict[int, Result] = {}
    is_interrupted = False
    try:
        _run_pool(work, dict(enumerate(items)), jobs, done)
        for number, item in enumerate(items):
            # A worker died; each item that it left behind gets a process of its own.
            if number not in done:
                _run_pool(work, {number: item}, 1, done)
            if number not in done:
                done[number] = work.lost(item)
    except KeyboardInterrupt:
        is_interrupted = True
    return [done[number] for number in sorted(done)], is_interrupted


def _run_pool(
    work: Work[Item, Result], items: dict[int, Item], jobs: int, done: dict[int, Result]
) -> None:
    """Work on `items` and add the results to `done`; those lost with a dead worker are missing."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
    numbers: dict[Future[Result], int] = {}
    try:
        with _interrupts_ignored():
            numbers |= {pool.submit(work.run, item): number for number, item in items.items()}
        waiting = set(numbers)
        while waiting:
            finished, waiting = wait(waiting, return_when="FIRST_COMPLETED")
            for future in finished:
                with suppress(BrokenProcessPool):
                    done[numbers[future]] = future.result()
                    work.progress(len(done), done[numbers[future]])
    except BrokenProcessPool:
        return
    except KeyboardInterrupt:
        _stop(pool, numbers, done)
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _stop(
    pool: ProcessPoolExecutor, numbers: dict[Future[Result], int], done: dict[int, Result]
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


@contextmanager
def _interrupts_ignored() -> Generator[None]:
    """Ctrl-C is ignored meanwhile, and by processes that start meanwhile."""
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def _leave_interrupts() -> None:
    """In a worker: leave Ctrl-C to the process that gives out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
