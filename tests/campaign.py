"""The command line of brute force, for each family: many drawn programs judged in processes."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Protocol

BATCH = 20


class Counts(Protocol):
    """The totals of a run; a `judgement` has lists `faults` and `reasons`."""

    programs: int
    faults: Counter[str]

    def add(self, number: int, judgement: Any) -> None:
        """Count one program."""
        ...


def run(
    family: str,
    totals: Counts,
    judge_batch: Callable[[int, range], list[tuple[int, Any]]],
    keep: Callable[[Path, int, int, Any], None],
    table: Callable[[Any, float], str],
) -> int:
    """Run `python -m tests.<family>` as its arguments say; 1 when a verdict was wrong."""
    options = _options(family)
    started = time.monotonic()
    end = options.first + options.count
    batches = [range(k, min(k + BATCH, end)) for k in range(options.first, end, BATCH)]
    with ProcessPoolExecutor(options.jobs) as pool:
        for results in pool.map(judge_batch, [options.seed] * len(batches), batches):
            for number, judgement in results:
                totals.add(number, judgement)
                if options.keep and (judgement.faults or judgement.reasons):
                    keep(options.keep, options.seed, number, judgement)
            _progress(totals, options.count, started)
    print(table(totals, time.monotonic() - started))  # noqa: T201
    return 1 if totals.faults else 0


def _options(family: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m tests.{family}")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder for the programs that went wrong")
    return parser.parse_args()


def _progress(totals: Counts, count: int, started: float) -> None:
    rate = totals.programs / (time.monotonic() - started)
    words = f"{totals.programs}/{count} programs, {rate:.1f}/s, {totals.faults.total()} wrong"
    sys.stderr.write(
        f"\r{words}" if sys.stderr.isatty() else f"{words}\n" * (totals.programs % 500 < BATCH)
    )
