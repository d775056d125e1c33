// Shows: the real pass dies on an access to memory whose elements are narrower than a byte.
// Idea: found by lowering generated programs with every element type.
// Seen with: MLIR 22.1.8 (SIGABRT: `integralElementType.getWidth() >= 8`), pipeline
// `finalize-memref-to-llvm`.
// RUN: verify-ir passes %s -p mlir:finalize-memref-to-llvm --verify-diagnostics
// expected-error@-5 {{after:mlir:finalize-memref-to-llvm [E0304]}}
func.func @flag_of(%flags: memref<4xi1>, %i: index) -> i1 {
  %flag = memref.load %flags[%i] : memref<4xi1>
  return %flag : i1
}
