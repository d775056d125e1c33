// Shows: the real pass dies on a cast of a memref into a named memory space. It asks its type converter for a type
// that there is none of, as nothing says what number the space has, and looks into the answer.
// Idea: found by a campaign; memory spaces and casts between them are drawn for every memref.
// Seen with: MLIR 22.1.8 (SIGSEGV in `MemorySpaceCastOpLowering`), pipeline `finalize-memref-to-llvm`.
// RUN: verify-ir passes %s -p mlir:finalize-memref-to-llvm --verify-diagnostics
// expected-error@-5 {{after:mlir:finalize-memref-to-llvm [E0304]}}
func.func @cast(%data: memref<4xf32>) {
  %there = memref.memory_space_cast %data : memref<4xf32> to memref<4xf32, #gpu.address_space<global>>
  return
}
