"""Drawn kernels on a GPU: the same bits as by the interpreter, and functions within tolerance."""

from __future__ import annotations

import os

import pytest

from tests.cuda.differential import differences, program_of, run
from tests.cuda.functions import KINDS, OPS, function_program, furthest
from tests.cuda.judge import drawn
from verify.replay.arrays import Arrays, DeviceError, arrays_for
from verify.replay.cuda.on_device import DeviceKernels
from verify.semantics.floats import MATH_ULPS

COUNT = int(os.environ.get("VERIFY_IR_KERNELS", "25"))
pytestmark = pytest.mark.gpu


@pytest.fixture(name="device", scope="module")
def cuda_device() -> Arrays:
    try:
        return arrays_for("cuda")
    except DeviceError as error:
        pytest.skip(str(error))


def test_kernels_do_the_same_on_the_gpu(device: Arrays) -> None:
    backend = DeviceKernels(device.module)
    for number in range(COUNT):
        program = program_of(drawn(2, number, is_exact=True))
        expected = run(program, 0, None)
        actual = run(program, 0, backend, device)

        assert ("", "", []) == (expected.reason, actual.reason, actual.refused)
        assert [] == differences(expected, actual), program.text


@pytest.mark.parametrize("kind", KINDS)
def test_a_function_is_within_its_tolerance_on_the_gpu(device: Arrays, kind: str) -> None:
    backend = DeviceKernels(device.module)
    for name in OPS:
        program = function_program(name, kind)
        found = run(program, 0, None), run(program, 0, backend, device)
        assert furthest(*found) <= MATH_ULPS, name
