// Shows: memory in a numbered space is freed with a pointer of that space, where `free` takes one of space 0: the
// output is not valid. `gpu_to_llvm_frees_in_another_space.mlir` is the same of device memory.
// Idea: found by a campaign that lowers drawn programs with every memory space.
// Seen with: MLIR 22.1.8, pipeline `finalize-memref-to-llvm`.
// RUN: verify-ir passes %s -p mlir:finalize-memref-to-llvm --verify-diagnostics
func.func @freed(%data: memref<4xf32, 1>) {
  // expected-error@+1 {{after:mlir:finalize-memref-to-llvm [E0305]}}
  memref.dealloc %data : memref<4xf32, 1>
  return
}
