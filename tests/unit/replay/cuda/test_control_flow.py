"""Drawn functions with loops, branches, views and calls: printed and interpreted alike."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.conformance.operands import integers
from tests.conformance.programs import functions
from tests.cuda.host import require_compiler
from tests.cuda.single import Subject
from verify.replay.inputs import Inputs

COUNT = int(os.environ.get("VERIFY_IR_KERNELS", "25"))


@settings(
    max_examples=COUNT,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(
    functions(),
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), integers(32), st.booleans()),
        min_size=6,
        max_size=6,
    ),
)
def test_a_function_does_the_same_in_c(text: str, draws: list[tuple[int, int, int, bool]]) -> None:
    require_compiler()
    found: list[tuple[Inputs, list[tuple[str, bytes]]]] = []
    subject = Subject(text)
    for seed, (n, k, w, flag) in enumerate(draws):
        inputs = Inputs(seed=seed, scalars={2: n, 3: k, 4: w, 5: int(flag)})
        expected = subject.interpreted(inputs)
        if expected is not None:
            found.append((inputs, expected))
    assume(found)
    for inputs, expected in found:
        assert expected == subject.compiled(inputs)
