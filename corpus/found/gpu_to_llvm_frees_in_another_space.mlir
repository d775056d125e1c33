// Shows: device memory in a numbered space is freed with a pointer of that space, where the runtime's function
// takes one of space 0: the output is not valid. Fills and copies cast the pointer.
// Idea: what `gpu-async-region` makes of drawn programs, given to the pass that comes next.
// Seen with: MLIR 22.1.8, pipeline `gpu-to-llvm`.
// RUN: verify-ir passes %s -p mlir:gpu-to-llvm --verify-diagnostics
func.func @freed(%field: memref<8xf32, 1>) {
  %start = gpu.wait async
  // expected-error@+1 {{after:mlir:gpu-to-llvm [E0305]}}
  %done = gpu.dealloc async [%start] %field : memref<8xf32, 1>
  gpu.wait [%done]
  return
}
