"""Drawn kernels on the CPU: printed and interpreted alike, bit for bit."""

from __future__ import annotations

import os

import pytest

from tests.cuda.differential import Program, compare, differences, program_of, run
from tests.cuda.host import HostKernels, require_compiler
from tests.cuda.judge import compare_all

COUNT = int(os.environ.get("VERIFY_IR_KERNELS", "25"))

ADDS = """
gpu.module @kernels {
  gpu.func @kernel(%a: memref<8xi32>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %a[%i] : memref<8xi32>
    gpu.return
  }
}
func.func @main(%a: memref<8xi32>) {
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%eight, %one, %one)
    args(%a : memref<8xi32>)
  return
}
"""


@pytest.fixture(autouse=True)
def compiler() -> None:
    require_compiler()


@pytest.mark.slow
def test_kernels_do_the_same_in_c() -> None:
    compared = 0
    for first in range(0, COUNT, 10):
        for found in compare_all(1, range(first, min(first + 10, COUNT))):
            compared += found.compared
            assert ([], []) == (found.faults, found.reasons), found.text

    assert compared == 2 * COUNT


def test_a_kernel_that_computes_something_else_is_noticed() -> None:
    plain = run(module(ADDS), 0, None)
    other = run(module(ADDS.replace("arith.addi", "arith.muli")), 0, HostKernels())

    assert "argument 0 (i32), element" in differences(plain, other)[0]


def test_a_kernel_is_compared_with_itself() -> None:
    assert ([], []) == compare(module(ADDS), [0, 1], HostKernels)


def module(text: str) -> Program:
    return program_of(f"module attributes {{gpu.container_module}} {{{text}}}")
