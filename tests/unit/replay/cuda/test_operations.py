"""Each op of each type, on many numbers: printed and interpreted alike, bit for bit."""

from __future__ import annotations

import os

import pytest

from tests.cuda import host
from tests.cuda.differential import differences, run
from tests.cuda.operations import KINDS, program, row_of, table_of

SEEDS = int(os.environ.get("VERIFY_IR_EXAMPLES", "1")) * 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_op_does_the_same_in_c(kind: str) -> None:
    host.require_compiler()
    table = table_of(kind)
    found = program(table)
    assert [] == found.refused

    for seed in range(SEEDS):
        expected, actual = run(found, seed, None), run(found, seed, host.HostKernels())
        assert ("", "") == (expected.reason, actual.reason)
        assert [] == [f"{row_of(table, w)}: {w}" for w in differences(expected, actual)]
