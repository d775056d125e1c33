"""Programs with known control against changed ones: what is equal on unknown data is in runs."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.brute_force.mutate import mutate
from tests.conformance.programs import BUFFER, SIGNATURE, functions
from verify.checks.options import CheckOptions
from verify.ir.frontend import read_text
from verify.ir.printing import to_generic_text
from verify.model.analyse import functions_of
from verify.refine.equivalence import agreement, by_runs

PROGRAMS = int(os.environ.get("VERIFY_IR_PROGRAMS", "120"))
CLOSED = "%a: memref<12xi32>, %b: memref<9xi32>, %w: i32, %flag: i1"


def closed(text: str, draw: random.Random) -> str:
    """A drawn function on buffers of known sizes, with known numbers for `%n` and `%k`."""
    n, k = draw.randint(0, 5), draw.randint(0, 4)
    head = f"""
  %A = memref.cast %a : memref<12xi32> to {BUFFER}
  %B = memref.cast %b : memref<9xi32> to {BUFFER}
  %n = arith.constant {n} : index
  %k = arith.constant {k} : index
"""
    opened = f"func.func @f({SIGNATURE}) {{"
    assert opened in text
    return text.replace(opened, f"func.func @f({CLOSED}) {{{head}")


def judged(text: str, seed: int) -> str:
    """What became of one program and a changed one."""
    draw = random.Random(seed)
    text = closed(text, draw)
    source, target = (read_text(text).module for _ in range(2))
    assert source is not None, text
    assert target is not None
    change = mutate(dict(functions_of(target))["f"], draw)
    if change is None or read_text(to_generic_text(target)).module is None:
        return "no change"
    decider = agreement(source, target, "f", CheckOptions())
    if decider is None:
        return "open"
    found = by_runs(source, target, "f", CheckOptions())
    assert found is None, f"{change}: {found}\n{text}\n{to_generic_text(target)}"
    return decider


@pytest.mark.slow
def test_what_is_equal_on_unknown_data_is_equal_in_runs() -> None:
    seen: Counter[str] = Counter()

    @settings(
        max_examples=PROGRAMS,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(functions(), st.integers(0, 10**9))
    def run(text: str, seed: int) -> None:
        seen[judged(text, seed)] += 1

    run()
    assert seen["symbolic data"] > 0
