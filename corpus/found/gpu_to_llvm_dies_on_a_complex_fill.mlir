// Shows: the real pass asks for the width of what memory is filled with, also where that is no plain number, and
// dies. It refuses other values that are not 16 or 32 bits wide.
// Idea: every element type that `gpu.memset` takes.
// Seen with: MLIR 22.1.8 (SIGABRT: `only integers and floats have a bitwidth`), pipeline `gpu-to-llvm`.
// RUN: verify-ir passes %s -p mlir:gpu-to-llvm --verify-diagnostics
// expected-error@-5 {{after:mlir:gpu-to-llvm [E0304]}}
func.func @filled(%waves: memref<8xcomplex<f32>>, %zero: complex<f32>) {
  %start = gpu.wait async
  %done = gpu.memset async [%start] %waves, %zero : memref<8xcomplex<f32>>, complex<f32>
  gpu.wait [%done]
  return
}
