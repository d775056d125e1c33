"""Programs a second of a campaign with its cheap oracles, beside the real passes alone."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from fuzz.campaign import QUICK
from fuzz.engine.local import LocalEngine
from fuzz.judging import JUDGED, Job, Judged
from fuzz.planning import ROUND, Planner
from fuzz.recipes import Recipe, from_json, text_of, to_json
from fuzz.runs import targets_of
from fuzz.settings import Settings
from fuzz.subject import wants
from verify.ir.frontend import read_text
from verify.toolchain.outcome import RunOptions
from verify.toolchain.registry import run_pass

CHEAP = ("crash", "output", "refusal", "contract", "own-pass", "invariants")
"""Verdict, own pass, real passes, verdict after."""
PASSES = (
    "enzyme:sink-checkpoint-views",
    "enzyme:func.func(gpu-async-region)",
    "mlir:func.func(gpu-async-region)",
)
RATE_TARGET = 60.0
_WARM_UP = 40
_LONGEST_S = 60.0


def rate(count: int, jobs: int) -> dict[str, Any]:
    """Judge `count` drawn programs in `jobs` processes; those that take too long count as none."""
    targets = targets_of(PASSES)
    settings = Settings(seed=0, targets=targets, oracles=CHEAP, jobs=jobs)
    planner = Planner(settings)
    lines = [
        to_json(recipe)
        for round_ in range((count + _WARM_UP) // ROUND + 1)
        for recipe in planner.plan(round_)
    ]
    engine = LocalEngine(jobs)
    try:
        _judge(engine, lines[:_WARM_UP], settings)
        begin = time.perf_counter()
        found = _judge(engine, lines[_WARM_UP : _WARM_UP + count], settings)
        wall_s = time.perf_counter() - begin
    finally:
        engine.close()
    statuses = Counter(each.status for each in found)
    parts: Counter[str] = Counter()
    for each in found:
        parts.update(each.seconds)
    alone_s = _passes_alone(lines[_WARM_UP : _WARM_UP + count], targets)
    return {
        "programs": count,
        "jobs": jobs,
        "judged": statuses[JUDGED],
        "put_off": count - statuses[JUDGED],
        "programs_per_s": statuses[JUDGED] / wall_s,
        "ratio_to_passes_alone": wall_s * jobs / statuses[JUDGED] / (alone_s / count),
        "ms_a_program": {name: 1000 * s / count for name, s in parts.most_common()},
    }


def _judge(engine: LocalEngine, lines: list[str], settings: Settings) -> list[Judged]:
    for number, line in enumerate(lines):
        engine.submit(Job(number, line, settings.targets, settings.oracles, QUICK))
    found: list[Judged] = []
    for _ in lines:
        done = engine.next(_LONGEST_S)
        if done is not None and done.judged is not None:
            found.append(done.judged)
    return found


def _passes_alone(lines: list[str], targets: tuple[str, ...]) -> float:
    """Seconds inside the compilers on the same programs, one after the other."""
    total = 0.0
    for line in lines:
        recipe: Recipe = from_json(line)
        parsed = read_text(text_of(recipe))
        if parsed.module is None:
            continue
        for target in targets:
            if wants(target, parsed):
                total += run_pass(target, parsed, RunOptions(20.0)).seconds
    return total
