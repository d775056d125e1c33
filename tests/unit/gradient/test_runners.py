"""The three runners on the same programs, and programs that do not end well."""

import numpy as np
import pytest

from tests.unit.gradient.programs import needs_bindings, read
from verify.gradient.differences import finite_differences
from verify.gradient.harness import primal_slots
from verify.gradient.image import Bytes, read_numbers
from verify.gradient.inputs import prepare_inputs
from verify.gradient.native_runs import RunError
from verify.gradient.runners import Runnable, function_in, run
from verify.gradient.signature import find_function, signature_of
from verify.toolchain.mlir_runner import find_runner
from verify.toolchain.native import has_jit

pytestmark = needs_bindings
NATIVE = [
    pytest.param(
        "jit",
        marks=pytest.mark.skipif(not has_jit(), reason="no JIT"),
    ),
    pytest.param(
        "mlir-runner",
        marks=pytest.mark.skipif(find_runner() is None, reason="no mlir-runner"),
    ),
]
ARITHMETIC = """
func.func @f(%a: memref<?x3xf32, strided<[?, 2], offset: ?>>, %p: i1, %n: i32, %k: index,
             %x: f64, %h: memref<4xf16>, %b: memref<2xbf16>, %z: memref<f64>, %raw: !llvm.ptr)
    -> (f64, i1, index, f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = memref.dim %a, %c0 : memref<?x3xf32, strided<[?, 2], offset: ?>>
  %sum = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %one) -> (f32) {
    %v = memref.load %a[%i, %c1] : memref<?x3xf32, strided<[?, 2], offset: ?>>
    %r = arith.divf %s, %v : f32
    memref.store %r, %a[%i, %c1] : memref<?x3xf32, strided<[?, 2], offset: ?>>
    scf.yield %r : f32
  }
  %wide = arith.extf %sum : f32 to f64
  %y = arith.mulf %wide, %x : f64
  memref.store %y, %z[] : memref<f64>
  %h0 = memref.load %h[%c1] : memref<4xf16>
  %h1 = arith.addf %h0, %h0 : f16
  %b0 = memref.load %b[%c1] : memref<2xbf16>
  memref.store %b0, %b[%c0] : memref<2xbf16>
  %q = arith.cmpi slt, %k, %rows : index
  %t = arith.xori %p, %q : i1
  %m = arith.index_cast %n : i32 to index
  %l = arith.muli %m, %k : index
  %at = llvm.load %raw : !llvm.ptr -> f64
  %double = arith.addf %at, %y : f64
  llvm.store %double, %raw : f64, !llvm.ptr
  return %y, %t, %l, %h1 : f64, i1, index, f16
}
"""


def _prepared(text: str, samples: int = 3) -> tuple[Runnable, Bytes]:
    module = read(text)
    function = find_function(module, None)
    signature = signature_of(function)
    bare = Runnable(module, signature.function, None, ([], []))  # pyright: ignore[reportArgumentType]
    prepared = prepare_inputs(*function_in(bare), signature, {}, 1, samples)
    slots = primal_slots(prepared.layout)
    return Runnable(module, signature.function, prepared.layout, slots), prepared.images


@pytest.mark.parametrize("runner", NATIVE)
def test_a_compiled_run_and_the_interpreter_leave_the_same_bytes(runner: str) -> None:
    runnable, images = _prepared(ARITHMETIC)

    expected = run(runnable, images, "interpreter", 60)
    actual = run(runnable, images, runner, 60)

    assert ("interpreter", runner) == (expected.runner, actual.runner)
    for name, section in runnable.layout.sections.items():
        pair = [
            np.stack([read_numbers(section, image) for image in ran.images])
            for ran in (expected, actual)
        ]
        assert (name, pair[0].tolist()) == (name, pair[1].tolist())
    assert (expected.images == actual.images).all()
    assert not (images == actual.images).all()


@pytest.mark.parametrize("runner", NATIVE)
def test_a_run_that_does_not_end_is_stopped(runner: str) -> None:
    text = """
func.func @f(%x: memref<1xf64>) {
  cf.br ^again
^again:
  cf.br ^again
}
"""
    runnable, images = _prepared(text)

    with pytest.raises(RunError) as caught:
        run(runnable, images, runner, 0.5)

    assert ("run", True) == (caught.value.step, caught.value.has_died)
    assert "did not end within 0.5 s" == caught.value.reason


@pytest.mark.parametrize("runner", NATIVE)
def test_a_run_that_dies_is_told_by_its_signal(runner: str) -> None:
    text = """
func.func @f(%x: f64) -> f64 {
  %bits = arith.constant 8 : i64
  %p = llvm.inttoptr %bits : i64 to !llvm.ptr
  llvm.store %x, %p : f64, !llvm.ptr
  return %x : f64
}
"""
    runnable, images = _prepared(text)

    with pytest.raises(RunError) as caught:
        run(runnable, images, runner, 60)

    assert ("run", True) == (caught.value.step, caught.value.has_died)
    assert "died with signal SIG" in caught.value.reason


def test_what_cannot_be_lowered_is_interpreted() -> None:
    text = """
func.func @f(%x: memref<4xf64>, %p: memref<4xi1>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf64, strided<[1], offset: 1>>
  %v = memref.load %x[%c0] : memref<4xf64>
  memref.store %v, %a[%c0] : memref<2xf64, strided<[1], offset: 1>>
  return
}
"""
    runnable, images = _prepared(text)

    ran = run(runnable, images, "auto", 60)

    assert "interpreter" == ran.runner
    assert "memref.alloc" in ran.fallback or not has_jit()


def test_slopes_are_right_where_the_function_is_smooth_and_doubtful_at_a_jump() -> None:
    text = """
func.func @f(%x: f64, %y: f64) -> f64 {
  %half = arith.constant 1.0 : f64
  %cube = arith.mulf %x, %x : f64
  %more = arith.mulf %cube, %x : f64
  %is_big = arith.cmpf ogt, %y, %half : f64
  %step = arith.select %is_big, %y, %half : f64
  %sum = arith.addf %more, %step : f64
  return %sum : f64
}
"""
    runnable, images = _prepared(text, samples=1)
    image = images[0].copy()
    x, y = (runnable.layout.sections["value", k] for k in (0, 1))
    image[x.place : x.place + 8] = np.array([1.25]).view(np.uint8)
    image[y.place : y.place + 8] = np.array([1.0]).view(np.uint8)
    for section in runnable.layout.of_role("seed"):
        image[section.place : section.place + 8] = np.array([1.0]).view(np.uint8)

    (slope,) = finite_differences(runnable, image[None], "f64", "interpreter", 60)

    assert abs(slope.expected[0] - 3 * 1.25**2) < 1e-9
    assert slope.uncertainty[0] < 1e-6
    assert abs(slope.expected[1] - 0.5) < 1e-6
