"""Barriers in a concrete run: the threads of a block see what the others wrote before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.cuda.differential import Program, program_of, run
from verify.replay.concrete import ConcreteMachine
from verify.replay.inputs import Inputs
from verify.replay.run import run_function

SHARED = "memref<4xi32, #gpu.address_space<workgroup>>"


def program(body: str, blocks: int = 2) -> Program:
    """A kernel of two blocks of four threads with workgroup memory `%w`."""
    return program_of(f"""
module attributes {{gpu.container_module}} {{
gpu.module @kernels {{
  gpu.func @kernel(%a: memref<8xi32>) workgroup(%w: {SHARED}) kernel {{
    %t = gpu.thread_id x
    %g = gpu.global_id x
    %three = arith.constant 3 : index
    %other = arith.subi %three, %t : index
    {body}
    gpu.return
  }}
}}
func.func @main(%a: memref<8xi32>) {{
  %one = arith.constant 1 : index
  %blocks = arith.constant {blocks} : index
  %four = arith.constant 4 : index
  gpu.launch_func @kernels::@kernel blocks in (%blocks, %one, %one)
    threads in (%four, %one, %one) args(%a : memref<8xi32>)
  return
}}
}}
""")


def numbers(text: str) -> list[int]:
    """Eight numbers after a run on 0, 1, 2, ..."""
    found = program(text)
    machine = ConcreteMachine(found.symbols, Inputs(0))
    function = found.symbols["main"]
    region = function.regions[0]
    view = machine.argument(0, region.blocks[0].args[0])
    view.memory.data[:32] = np.arange(8, dtype=np.int32).view(np.uint8)
    machine.run_region(region, [view])
    return view.memory.data[:32].view(np.int32).tolist()


def test_threads_exchange_numbers_within_a_block() -> None:
    body = f"""
    %x = memref.load %a[%g] : memref<8xi32>
    memref.store %x, %w[%t] : {SHARED}
    gpu.barrier
    %y = memref.load %w[%other] : {SHARED}
    memref.store %y, %a[%g] : memref<8xi32>
    """

    assert [3, 2, 1, 0, 7, 6, 5, 4] == numbers(body)


def test_an_asynchronous_launch_has_its_workgroup_memory_at_once() -> None:
    found = program_of(f"""
module attributes {{gpu.container_module}} {{
gpu.module @kernels {{
  gpu.func @kernel(%x: i32) workgroup(%w: {SHARED}) kernel {{
    %t = gpu.thread_id x
    memref.store %x, %w[%t] : {SHARED}
    gpu.return
  }}
}}
func.func @main(%x: i32) {{
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %done = gpu.launch_func async @kernels::@kernel blocks in (%one, %one, %one)
    threads in (%four, %one, %one) args(%x : i32)
  gpu.wait [%done]
  return
}}
}}
""")
    function = found.symbols["main"]

    assert "ran" == run_function(function, found.symbols, Inputs(0)).status


def test_a_barrier_in_a_loop_is_passed_in_step() -> None:
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.load %a[%g] : memref<8xi32>
    memref.store %x, %w[%t] : {SHARED}
    gpu.barrier
    scf.for %i = %c0 to %three step %c1 {{
      %y = memref.load %w[%other] : {SHARED}
      gpu.barrier
      %z = arith.addi %y, %y : i32
      memref.store %z, %w[%t] : {SHARED}
      gpu.barrier
    }}
    %r = memref.load %w[%t] : {SHARED}
    memref.store %r, %a[%g] : memref<8xi32>
    """

    assert [24, 16, 8, 0, 56, 48, 40, 32] == numbers(body)


def test_a_barrier_that_some_threads_miss_is_undefined() -> None:
    body = """
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      gpu.barrier
    }
    """

    found = run(program(body), 0, None)

    assert (
        "UndefinedBehaviourError: not all threads of a block reach the same barrier" == found.reason
    )


def test_an_error_in_one_thread_ends_the_block() -> None:
    found = run(
        program(
            "gpu.barrier\n%v = memref.load %a[%c9] : memref<8xi32>".replace(
                "gpu.barrier", "%c9 = arith.constant 9 : index\ngpu.barrier"
            )
        ),
        0,
        None,
    )

    assert "UndefinedBehaviourError: index 9 outside [0, 8)" == found.reason


@pytest.mark.parametrize("blocks", [0, 1, 3])
def test_a_grid_of_any_size_runs(blocks: int) -> None:
    assert not run(program("gpu.barrier", blocks), 0, None).reason
