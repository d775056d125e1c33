"""Programs held against slightly changed ones: equal normal forms never differ in a run."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from itertools import islice

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.strategies import syntax as s
from fuzz.strategies.checkpointed import build
from fuzz.strategies.rendering import render
from tests.brute_force.shrink import variants
from verify.checks.options import CheckOptions
from verify.ir.frontend import read_text
from verify.refine.equivalence import agreement, by_runs

PAIRS = int(os.environ.get("VERIFY_IR_PROGRAMS", "200")) // 2


def changed(program: s.Program, draw: random.Random) -> s.Program | None:
    """The program with one thing changed, if that still is a program."""
    bodies = list(islice(variants(program.body), 400))
    if not bodies:
        return None
    other = replace(program, body=draw.choice(bodies))
    try:
        render(other)
    except KeyError:  # something is used that is no longer there
        return None
    return other


@settings(
    max_examples=PAIRS,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.integers(0, 10**9))
def test_equal_normal_forms_never_differ_in_a_run(seed: int) -> None:
    draw = random.Random(seed)
    program = build(draw)
    other = changed(program, draw)
    if other is None:
        return
    texts = render(program), render(other)
    modules = [read_text(text).module for text in texts]
    if modules[0] is None or modules[1] is None:
        return
    if agreement(modules[0], modules[1], "f", CheckOptions()) is not None:
        assert by_runs(modules[0], modules[1], "f", CheckOptions()) is None, "\n".join(texts)
