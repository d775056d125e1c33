"""Medians and exponents."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Sequence


def median_s(run: Callable[[], object], *, repeats: int, limit_s: float = 10.0) -> float:
    """The median time of a call, over fewer `repeats` where they would take too long.

    What earlier measurements left on the heap is none of the collector's business.
    """
    gc.collect()
    gc.freeze()
    times: list[float] = []
    start = time.perf_counter()
    while len(times) < repeats and (not times or time.perf_counter() - start < limit_s):
        before = time.perf_counter()
        run()
        times.append(time.perf_counter() - before)
    return statistics.median(times)


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of cost against size, both on logarithmic scales, by least squares."""
    xs = [math.log(x) for x, _ in points]
    ys = [math.log(y) for _, y in points]
    return statistics.linear_regression(xs, ys).slope
