"""Orders of asynchronous work, forced on streams: here simulated ones, and those of a GPU."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cuda.host import HostKernels, require_compiler
from tests.unit.replay.made_bundles import CORPUS, bundle_of
from tests.unit.replay.simulated_streams import SimulatedStreams, simulated
from verify.ir.frontend import read_text
from verify.ir.names import op_name
from verify.model.symbols import collect_symbols
from verify.replay.arrays import CPU, Arrays, DeviceError, arrays_for
from verify.replay.bundle.perform import perform
from verify.replay.bundle.read import read_bundle
from verify.replay.cuda.launch import CompiledKernels, Launch, Place
from verify.replay.cuda.nvrtc import NoCompilerError, compile_kernel
from verify.replay.cuda.streams import SOURCE
from verify.replay.inputs import Inputs
from verify.replay.rerun import Subject, orders_of, program_order
from verify.replay.schedule import Trace, compare, run_schedule
from verify.replay.scheduler import PROGRAM_ORDER, Order
from verify.replay.stream_machine import run_on_streams

SAFE = sorted(CORPUS.glob("safe/*gpu*.mlir")) + sorted(CORPUS.glob("safe/async*.mlir"))
UNSAFE = sorted(CORPUS.glob("unsafe/*gpu*.mlir")) + sorted(CORPUS.glob("unsafe/async*.mlir"))


def subjects(text: str, arrays: Arrays) -> list[Subject]:
    module = read_text(text).module
    assert module is not None
    symbols = collect_symbols(module)
    functions = [op for op in module.walk() if op_name(op) == "func.func" and op.regions[0].blocks]
    return [Subject(module, op, symbols, list(module.walk()), arrays) for op in functions]


def end_of(trace: Trace) -> tuple[object, ...]:
    return trace.status, trace.memory, [str(result) for result in trace.results]


@pytest.mark.parametrize("path", SAFE + UNSAFE, ids=lambda p: p.stem)
def test_program_order_on_streams_ends_as_on_the_cpu(path: Path) -> None:
    for subject in subjects(path.read_text(), simulated()[0]):
        expected = program_order(subject, Inputs(seed=3), CPU)
        found = run_on_streams(subject, Inputs(seed=3), PROGRAM_ORDER, SimulatedStreams())
        if found.trace.status == expected.status == "ran":
            assert end_of(expected) == end_of(found.trace)
        assert not found.overtaken


@pytest.mark.parametrize("path", SAFE, ids=lambda p: p.stem)
def test_no_order_shows_anything_where_all_is_in_order(path: Path) -> None:
    for subject in subjects(path.read_text(), simulated()[0]):
        expected = run_on_streams(subject, Inputs(seed=3), PROGRAM_ORDER, SimulatedStreams())
        for order in orders_of(subject):
            found = run_on_streams(subject, Inputs(seed=3), order, SimulatedStreams())
            assert [] == compare(expected.trace, found.trace)


@pytest.mark.parametrize("path", UNSAFE, ids=lambda p: p.stem)
def test_each_order_leaves_the_memory_that_the_scheduler_says(path: Path) -> None:
    """The host runs work that may run, and streams do: the same orders, carried out twice."""
    for subject in subjects(path.read_text(), simulated()[0]):
        for order in orders_of(subject):
            expected = run_schedule(
                subject.function, subject.symbols, Inputs(seed=3), order.scheduler()
            )
            found = run_on_streams(subject, Inputs(seed=3), order, SimulatedStreams()).trace
            if found.status == expected.status == "ran":
                assert end_of(expected) == end_of(found)
                assert expected.open == found.open


CHAINS = """func.func @chains(%a: memref<4xf32, 1>, %b: memref<4xf32, 1>, %x: f32) {
  %s = gpu.wait async
  %t = gpu.memset async [%s] %a, %x : memref<4xf32, 1>, f32
  %u = gpu.memset async [%t] %a, %x : memref<4xf32, 1>, f32
  %v = gpu.memset async [%s] %b, %x : memref<4xf32, 1>, f32
  %w = gpu.memcpy async [%u, %v] %a, %b : memref<4xf32, 1>, memref<4xf32, 1>
  gpu.wait [%w]
  return
}
"""


def test_each_chain_has_a_stream() -> None:
    arrays, device = simulated()
    (subject,) = subjects(CHAINS, arrays)

    run_on_streams(subject, Inputs(seed=1), PROGRAM_ORDER, device)

    assert 2 == device.made


def test_work_that_is_put_off_waits_until_the_host_waits_for_it() -> None:
    arrays, device = simulated()
    (subject,) = subjects(CHAINS, arrays)
    first = next(op for op in subject.function.walk() if op_name(op) == "gpu.memset")

    found = run_on_streams(subject, Inputs(seed=1), Order(late=first), device)

    assert 1 == len(device.gates)
    assert ("ran", []) == (found.trace.status, found.trace.open)


def test_a_device_that_does_not_hold_work_back_shows_nothing(tmp_path: Path) -> None:
    class Hasty(SimulatedStreams):
        def finish(self) -> bool:
            return super().finish() and not self.gates

    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle_of("gpu_join_forgets_a_chain"))
    device = Hasty()

    result = perform(*read_bundle(path), replace(simulated()[0], streams=lambda: device))

    assert "unsupported" == result["streams"]["status"]
    assert "did not hold work back" in result["streams"]["reason"]
    assert result["agrees_with_cpu"]


def test_a_device_that_computes_otherwise_is_told(tmp_path: Path) -> None:
    class Wrong(SimulatedStreams):
        def move(self, to: Any, to_places: Any, source: Any, places: Any) -> None:
            super().move(to, to_places, source ^ 1, places)

    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle_of("gpu_join_forgets_a_chain"))
    device = Wrong()

    result = perform(*read_bundle(path), replace(simulated()[0], streams=lambda: device))

    assert ("differs", False) == (result["streams"]["status"], result["agrees_with_cpu"])


@pytest.mark.parametrize("is_right", [True, False])
def test_compiled_kernels_are_held_against_the_cpu(is_right: bool, tmp_path: Path) -> None:
    class Wrong(HostKernels):
        def run(self, launch: Launch) -> None:
            super().run(launch)
            for place in launch.parameters:
                if isinstance(place, Place):
                    place.buffer.data[:] ^= 1

    require_compiler()
    path = tmp_path / "bundle.zip"
    path.write_bytes(bundle_of("gpu_kernels_share_a_row"))
    launcher = CompiledKernels(HostKernels() if is_right else Wrong())

    result = perform(*read_bundle(path), replace(CPU, device="cuda", launcher=launcher))

    assert (True, is_right) == (result["reproduced"], result["agrees_with_cpu"])


def test_the_kernels_of_streams_compile() -> None:
    try:
        binary = compile_kernel(SOURCE)
    except NoCompilerError as error:
        pytest.skip(str(error))

    assert isinstance(binary, bytes)


@pytest.mark.gpu
@pytest.mark.parametrize("path", UNSAFE, ids=lambda p: p.stem)
def test_a_gpu_leaves_the_memory_that_the_scheduler_says(path: Path) -> None:
    try:
        arrays = arrays_for("cuda")
    except DeviceError as error:
        pytest.skip(str(error))
    assert arrays.streams is not None
    draw = random.Random(5)
    for subject in subjects(path.read_text(), arrays):
        orders = list(orders_of(subject))
        for order in (PROGRAM_ORDER, *draw.sample(orders, min(3, len(orders)))):
            expected = run_schedule(
                subject.function, subject.symbols, Inputs(seed=3), order.scheduler()
            )
            found = run_on_streams(subject, Inputs(seed=3), order, arrays.streams())
            if found.has_held and found.trace.status == expected.status == "ran":
                assert end_of(expected) == end_of(found.trace)
