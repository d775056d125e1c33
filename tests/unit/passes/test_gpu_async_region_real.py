"""The pass gives op for op what the real `gpu-async-region` of MLIR and of Enzyme gives.

`VERIFY_IR_PROGRAMS=5000 pytest --timeout=0 tests/unit/passes/test_gpu_async_region_real.py` draws
more programs. Left out of the comparison are programs on which the real pass uses ops
that it has freed (see `corpus/found/gpu_async_region_uses_freed_ops.mlir`).
"""

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.passes.gpu_async_compare import (
    ENZYME,
    MLIR,
    OWN,
    OWN_THREADING,
    Comparison,
    compare,
)
from tests.unit.passes.gpu_async_programs import ProgramWriter
from verify.ir.frontend import has_bindings, read_modules, read_text
from verify.ir.module import ParsedModule
from verify.ir.names import op_name
from verify.ir.source import SourceText
from verify.passes.gpu_async_ops import ASYNC_OPS, LAUNCH
from verify.passes.gpu_async_promises import broken_promises
from verify.semantics.views_by_name import inner_first
from verify.toolchain import enzyme
from verify.toolchain.registry import run_pass

pytestmark = pytest.mark.skipif(
    not has_bindings(), reason="MLIR's Python bindings are not installed"
)
needs_enzyme = pytest.mark.skipif(not enzyme.is_installed(), reason="enzyme-ad is not installed")

PROGRAMS = int(os.environ.get("VERIFY_IR_PROGRAMS", "150"))
CORPUS = Path(__file__).parents[3] / "corpus"
FILES = [path for path in sorted(CORPUS.glob("*/*.mlir")) if "gpu." in path.read_text()]
FAULTY = {
    "gpu_async_region_uses_freed_ops": "E0304",
    "gpu_async_region_needs_terminators": "E0305",
    "gpu_async_region_miscounts_results": "E0305",
}
drawn = settings(max_examples=PROGRAMS, deadline=None, derandomize=True, database=None)
randoms = st.randoms(use_true_random=False)


def read(text: str) -> ParsedModule:
    module = read_text(text)
    assert () == module.errors, text
    return module


def assert_same(module: ParsedModule, own: str = OWN, real: str = MLIR) -> None:
    assert compare(module, own, real) is not Comparison.DIFFERENT


@drawn
@given(randoms)
def test_a_drawn_program_comes_out_as_from_mlir(random: Random) -> None:
    assert_same(read(ProgramWriter(random).program()))


@settings(drawn, max_examples=max(PROGRAMS // 3, 1))
@given(randoms)
def test_a_drawn_program_with_tokens_comes_out_as_from_mlir(random: Random) -> None:
    assert_same(read(ProgramWriter(random, has_tokens=True).program()), OWN_THREADING)


@needs_enzyme
@settings(drawn, max_examples=max(PROGRAMS // 5, 1))
@given(randoms)
def test_a_drawn_program_comes_out_as_from_enzyme(random: Random) -> None:
    assert_same(read(ProgramWriter(random, has_unknown_ops=False).program()), OWN, ENZYME)


@settings(drawn, max_examples=max(PROGRAMS // 5, 1))
@given(randoms)
def test_what_the_pass_promises_holds_for_a_drawn_program(random: Random) -> None:
    result = run_pass(OWN, read(ProgramWriter(random).program())).module

    assert result is not None
    assert result.module is not None
    shared = "a token that `async.execute` yields has several users"
    assert {shared} >= {reason for _, reason in broken_promises(result.module)}


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_corpus_file_comes_out_as_from_mlir(path: Path) -> None:
    for module in read_modules(SourceText(str(path), path.read_text())):
        if module.errors:
            pytest.skip("not valid MLIR on purpose")
        if path.stem in FAULTY:
            (failure,) = run_pass(MLIR, module).diagnostics
            assert FAULTY[path.stem] == failure.code
        elif has_inline_kernel(module):
            (own,), (real,) = run_pass(OWN, module).diagnostics, run_pass(MLIR, module).diagnostics
            assert (own.code, own.location) == (real.code, real.location)
        elif "enzymexla." not in path.read_text():
            assert_same(module, OWN_THREADING)
        elif enzyme.is_installed():
            # MLIR does not know that the ops of this dialect are free of effects.
            assert_same(module, OWN_THREADING, ENZYME)


def has_inline_kernel(module: ParsedModule) -> bool:
    assert module.module is not None
    return any(op_name(op) == LAUNCH for op in inner_first(module.module))


SPARSE = """
func.func @f(%m: memref<?xf64>, %i: memref<?xindex>, %n: index) {
  %d = gpu.create_dn_tensor %m, %n : index into memref<?xf64>
  %a = gpu.create_coo %n, %n, %n, %i, %i, %m : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %b = gpu.create_coo_aos %n, %n, %n, %i, %m : memref<?xindex>, memref<?xf64>
  %c = gpu.create_csr %n, %n, %n, %i, %i, %m : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %e = gpu.create_csc %n, %n, %n, %i, %i, %m : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %f = gpu.create_bsr %n, %n, %n, %n, %n, %i, %i, %m
    : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %g = gpu.create_2to4_spmat {PRUNE_AND_CHECK} %n, %n, %m : memref<?xf64>
  %s0 = gpu.spmv_buffer_size %a, %d, %d into f64
  gpu.spmv %a, %d, %d, %m : memref<?xf64> into f64
  %s1 = gpu.spmm_buffer_size %c, %d, %d : index into f64
  gpu.spmm %c, %d, %d, %m : memref<?xf64> into f64
  %s2 = gpu.sddmm_buffer_size %d, %d, %c into f64
  gpu.sddmm %d, %d, %c, %m : memref<?xf64> into f64
  %t = gpu.spgemm_create_descr
  %w = gpu.spgemm_work_estimation_or_compute {WORK_ESTIMATION} %c, %c, %c, %t, %n, %m
    : f64 into memref<?xf64>
  gpu.spgemm_copy %c, %c, %c, %t : f64
  %r, %k, %z = gpu.spmat_get_size %c
  gpu.set_csr_pointers %c, %i, %i, %m : memref<?xindex>, memref<?xindex>, memref<?xf64>
  gpu.spgemm_destroy_descr %t
  gpu.destroy_sp_mat %c
  gpu.destroy_dn_tensor %d
  %x = gpu.alloc (%n) : memref<?xf64>
  gpu.dealloc %x : memref<?xf64>
  gpu.memcpy %m, %m : memref<?xf64>, memref<?xf64>
  return
}
"""


def test_every_op_that_can_be_asynchronous_becomes_so() -> None:
    module = read(SPARSE)
    assert module.module is not None
    names = {op_name(op) for op in inner_first(module.module)}

    assert ASYNC_OPS - names == {"gpu.wait", "gpu.launch", "gpu.launch_func", "gpu.memset"}
    result = run_pass(OWN, module).module
    assert result is not None
    assert result.module is not None
    assert [] == list(broken_promises(result.module))


def test_all_ops_but_the_one_that_mlir_miscounts_come_out_as_from_mlir() -> None:
    lines = [line for line in SPARSE.splitlines() if "spmm_buffer_size" not in line]

    assert_same(read("\n".join(lines)))


# One op each, behind a `gpu.memset`.
OPS = (
    '"test.unknown"() : () -> ()',
    "%r = llvm.load %p : !llvm.ptr -> f32",
    "%r = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, f32",
    "%r = llvm.alloca %l x f32 : (i64) -> !llvm.ptr",
    "%r = llvm.call @ext(%l) : (i64) -> i64",
    "%r = llvm.add %l, %l : i64",
    "%r = tosa.add %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
    "%r = shape.shape_of %t : tensor<4xf32> -> !shape.shape",
    "%r = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>",
    "%r = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>",
    "%r = bufferization.clone %a : memref<4xf32> to memref<4xf32>",
    (
        "bufferization.materialize_in_destination %t in restrict writable %a"
        " : (tensor<4xf32>, memref<4xf32>) -> ()"
    ),
    (
        "%r = bufferization.materialize_in_destination %t in %t"
        " : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"
    ),
    "%r = linalg.map { math.absf } ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>)",
    "linalg.map { math.absf } ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)",
    (
        "%r = tensor.pad %t low[%n] high[%n] {\n^bb0(%i: index):\ntensor.yield %x : f32\n}"
        " : tensor<4xf32> to tensor<?xf32>"
    ),
    "%r = memref.reshape %a(%s) : (memref<4xf32>, memref<1xindex>) -> memref<?xf32>",
    "%r = memref.atomic_rmw addf %x, %a[%n] : (f32, memref<4xf32>) -> f32",
    "memref.prefetch %a[%n], read, locality<3>, data : memref<4xf32>",
    "%r = memref.get_global @table : memref<4xf32>",
    "%r = ub.poison : i32",
    "%r = builtin.unrealized_conversion_cast %n : index to i64",
    "%r = func.constant @host : () -> ()",
    'gpu.printf "x"',
    "%r = gpu.thread_id x",
    "gpu.host_register %u : memref<*xf32>",
    "%r = affine.load %a[0] : memref<4xf32>",
    "%r = affine.min affine_map<(d0) -> (d0, 3)>(%n)",
    "%r = vector.load %a[%n] : memref<4xf32>, vector<2xf32>",
    "%r = vector.broadcast %x : f32 to vector<2xf32>",
    "%r = arith.divsi %l, %l : i64",
    "%r = math.powf %x, %x : f32",
    "%r = complex.create %x, %x : complex<f32>",
    "%r = index.add %n, %n",
    "omp.barrier",
    "omp.parallel {\nomp.terminator\n}",
    "omp.parallel {\nfunc.call @host() : () -> ()\nomp.terminator\n}",
    (
        "%r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {\n"
        "scf.forall.in_parallel {\ntensor.parallel_insert_slice %t into %o[0] [4] [1]"
        " : tensor<4xf32> into tensor<4xf32>\n}\n}"
    ),
    (
        "%r = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {\n"
        "scf.reduce(%x : f32) {\n"
        "^bb0(%v: f32, %w: f32):\nscf.reduce.return %v : f32\n}\n}"
    ),
    "%r = ml_program.token",
    "%r:2 = async.execute -> !async.value<index> {\nasync.yield %n : index\n}",
    "%r = async.execute {\nfunc.call @host() : () -> ()\nasync.yield\n}",
    "acc.parallel {\nacc.yield\n}",
    'emitc.verbatim "x"',
    "%r = arith.select %c, %a, %a : memref<4xf32>",
)
AROUND = """
memref.global constant @table : memref<4xf32> = dense<1.0>
llvm.func @ext(i64) -> i64
func.func private @host()
func.func @f(%a: memref<4xf32>, %t: tensor<4xf32>, %p: !llvm.ptr, %n: index, %l: i64, %x: f32,
             %c: i1, %s: memref<1xindex>, %u: memref<*xf32>) {
  gpu.memset %a, %x : memref<4xf32>, f32
  OP
  return
}
"""


@pytest.mark.parametrize("op", OPS)
def test_an_op_makes_the_host_wait_where_mlir_says_so(op: str) -> None:
    assert_same(read(AROUND.replace("OP", op)))


def test_mlir_threads_tokens_that_are_there_where_this_pass_refuses() -> None:
    module = read(AROUND.replace("OP", "gpu.wait"))

    assert () == run_pass(MLIR, module).diagnostics
    assert ["E0301"] == [found.code for found in run_pass(OWN, module).diagnostics]


def test_mlir_does_not_split_a_token_among_three_users() -> None:
    users = "async.await %e : !async.token\n" * 3
    execute = "%e = async.execute {\ngpu.memset %a, %x : memref<4xf32>, f32\nasync.yield\n}\n"
    result = run_pass(MLIR, read(AROUND.replace("OP", execute + users))).module

    assert result is not None
    assert result.module is not None
    (reason,) = [reason for _, reason in broken_promises(result.module)]
    assert "a token that `async.execute` yields has several users" == reason
