import os

import pytest

from verify.ir.frontend import has_bindings, mlir_worker, read_text
from verify.toolchain.registry import run_pass
from verify.toolchain.stacks import NO_NAMES, frames_of, without_names, words_before_stack

NAMED = """\
cannot find size of ptr
 #0 0x00007f3e44b7df3b llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/a/libLLVM.so+0x97df3b)
 #1 0x00007f3e44b7adbf SignalHandler(int, siginfo_t*, void*) Signals.cpp:0:0
 #2 0x00007f3e6185a050 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)
 #3 0x00007f3e581f4777 ns::Utils::push(mlir::Value, ns::F<void (int)>) Utils.cpp:0:0
 #4 0x00007f930d61af55 (/a/b/call.so+0xc87af55)
 #5 0x00007f3e61b58ba3 PyObject_Vectorcall /b/call.c:301:1
 #6 0x00007f3e581f4777 never() Utils.cpp:0:0
"""
BARE = """\
cannot find size of ptr
Stack dump without symbol names (ensure you have llvm-symbolizer in your PATH):
0  libLLVM.so          0x00007f66afd7df3b llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) + 43
1  libLLVM.so          0x00007f66afd7adbf
2  libc.so.6           0x00007f66f0c5a050
3  call.so             0x00007f66c2f72f55
4  call.so             0x00007f66c2f72f56 ns::run(int) + 17
5  libpython3.11.so.1.0 0x00007f2dd0d58ba3 PyObject_Vectorcall + 51
"""
NESTED = """
func.func @nested(%field: memref<8xf32>, %zero: f32) {
  %t = async.execute {
    %x = async.execute {
      gpu.memset %field, %zero : memref<8xf32>, f32
      async.yield
    }
    %y = async.execute [%x] {
      async.yield
    }
    async.await %y : !async.token
    gpu.memset %field, %zero : memref<8xf32>, f32
    async.yield
  }
  async.await %t : !async.token
  return
}
"""


def test_frames_are_the_functions_of_the_compiler() -> None:
    assert ("ns::Utils::push", "call.so+0xc87af55") == frames_of(NAMED)
    assert ("call.so+...f55", "ns::run") == frames_of(BARE)
    assert () == frames_of("just words\n")


def test_words_come_before_the_stack() -> None:
    assert "cannot find size of ptr" == words_before_stack(NAMED) == words_before_stack(BARE)
    assert "just words" == words_before_stack("just words\n")


@pytest.mark.skipif(not has_bindings(), reason="no MLIR bindings here")
def test_a_pass_that_dies_says_where() -> None:
    outcome = run_pass("mlir:func.func(gpu-async-region)", read_text(NESTED))

    (note,) = [each for each in outcome.diagnostics[0].notes if each.startswith("it died in:\n")]
    assert "GpuAsyncRegionPass" in note
    assert "PyObject" not in note


@pytest.mark.skipif(not has_bindings(), reason="no MLIR bindings here")
def test_workers_start_anew_for_bare_stacks() -> None:
    read_text("")
    before = mlir_worker().pid
    with without_names():
        read_text("")
        inside = mlir_worker().pid
        assert "1" == os.environ[NO_NAMES]

    assert NO_NAMES not in os.environ
    assert inside not in (None, before)
