"""Library functions in C and in NumPy lie within the stated distance of each other."""

from __future__ import annotations

import pytest

from tests.cuda import host
from tests.cuda.differential import run
from tests.cuda.functions import KINDS, OPS, function_program, furthest
from verify.semantics.floats import MATH_ULPS


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_function_is_within_its_tolerance(kind: str) -> None:
    host.require_compiler()
    programs = {name: function_program(name, kind) for name in OPS}
    host.build([kernel for program in programs.values() for kernel in program.kernels])

    for name, program in programs.items():
        assert ((f"math.{name}", MATH_ULPS),) == program.kernels[0].ulps
        for seed in range(4):
            found = [run(program, seed, backend) for backend in (None, host.HostKernels())]
            assert furthest(*found) <= MATH_ULPS, (name, seed)


def test_only_library_functions_have_a_tolerance() -> None:
    kernel = function_program("sqrt", "f64").kernels[0]

    assert () == kernel.ulps
