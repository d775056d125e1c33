import numpy as np
import pytest

from verify.toolchain import native
from verify.toolchain.mlir_runner import find_runner, run_with_runner
from verify.toolchain.native import (
    NativeCall,
    NativeMemref,
    NativeOutcome,
    NativePointer,
    NativeScalar,
    NativeView,
    run_native,
)

pytestmark = pytest.mark.skipif(not native.has_jit(), reason=native.info().reason)
needs_runner = pytest.mark.skipif(find_runner() is None, reason="mlir-runner is not installed")

BUFFER = "memref<?xf32, strided<[?], offset: ?>>"
TEXT = f"""
func.func @double(%A: {BUFFER}, %n: index, %h: f16, %b: i1) -> (f16, i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.load %A[%i] : {BUFFER}
    %y = arith.addf %x, %x : f32
    memref.store %y, %A[%i] : {BUFFER}
  }}
  %r = arith.addf %h, %h : f16
  return %r, %b : f16, i1
}}
func.func @same(%A: {BUFFER}) -> {BUFFER} {{
  return %A : {BUFFER}
}}
llvm.func @put(%p: !llvm.ptr, %x: i32) -> i32 {{
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return %x : i32
}}
llvm.func @die() {{
  %z = llvm.mlir.zero : !llvm.ptr
  %y = llvm.load volatile %z : !llvm.ptr -> i32
  llvm.return
}}
"""
NUMBERS = np.arange(6, dtype=np.float32)
BACKWARDS = NativeMemref(0, 5, (4,), (-1,))
DOUBLE = NativeCall(
    "double",
    [NUMBERS.view(np.uint8)],
    [
        BACKWARDS,
        NativeScalar((3).to_bytes(8, "little")),
        NativeScalar(np.float16(1.5).tobytes()),
        NativeScalar(b"\1"),
    ],
)
PUT = NativeCall("put", [NUMBERS.view(np.uint8)], [NativePointer(0, 4), NativeScalar(b"\7\0\0\0")])
DIE = NativeCall("die", [], [])


def test_a_call_gives_back_the_bytes_of_memory_and_the_results() -> None:
    (outcome,) = run_native(TEXT, [DOUBLE])

    assert [0, 1, 2, 6, 8, 10] == np.frombuffer(outcome.buffers[0], np.float32).tolist()
    assert (NativeScalar(np.float16(3).tobytes()), NativeScalar(b"\1")) == outcome.results
    assert () == outcome.strays


def test_a_returned_memref_brings_its_elements_and_tells_where_it_lies() -> None:
    call = NativeCall("same", [NUMBERS.view(np.uint8)], [NativeMemref(0, 5, (3,), (-1,))])

    (outcome,) = run_native(TEXT, [call])

    expected = NativeView(NUMBERS[:2:-1].tobytes(), (3,), (-1,), 5, 0, 0)
    assert (expected,) == outcome.results


def test_calls_of_one_module_do_not_see_each_other() -> None:
    assert run_native(TEXT, [PUT, DOUBLE, PUT])[1] == run_native(TEXT, [DOUBLE])[0]


def test_writes_around_a_buffer_are_told() -> None:
    call = NativeCall("put", PUT.buffers, [NativePointer(0, 24), PUT.arguments[1]])

    assert (0,) == run_native(TEXT, [call])[0].strays


def test_a_crash_costs_the_other_calls_nothing() -> None:
    first, second = run_native(TEXT, [DIE, PUT])

    assert ("crash", "died with signal SIGSEGV") == (first.status, first.message)
    assert "ran" == second.status


def test_a_module_that_does_not_compile_is_refused_with_the_reason() -> None:
    (outcome,) = run_native(
        'func.func @f() { "a.b"() : () -> () return }', [NativeCall("f", [], [])]
    )

    assert "refused" == outcome.status
    assert "a.b" in outcome.message


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (NativeCall("double", [], []), "`@double` takes 4 arguments, not 0"),
        (NativeCall("none", [], []), "no function `@none`"),
        (NativeCall("put", [], PUT.arguments), "a buffer that is not given"),
        (
            NativeCall("put", PUT.buffers, [NativePointer(0), NativeScalar(b"\0")]),
            "argument 1 of `@put` has 4 bytes",
        ),
    ],
)
def test_arguments_that_do_not_fit_never_reach_native_code(call: NativeCall, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        run_native(TEXT, [call])


@needs_runner
def test_mlir_runner_gives_what_the_jit_gives() -> None:
    calls = [DOUBLE, PUT, DOUBLE]

    assert run_native(TEXT, calls) == run_with_runner(TEXT, calls)


@needs_runner
def test_mlir_runner_may_die_or_refuse() -> None:
    died: NativeOutcome = run_with_runner(TEXT, [DIE])[0]
    refused = run_with_runner("func.func @f( {", [NativeCall("f", [], [])])[0]

    assert died.message.startswith("died with signal SIGSEGV")
    assert ("crash", "refused") == (died.status, refused.status)
