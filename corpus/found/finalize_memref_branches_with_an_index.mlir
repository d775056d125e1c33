// Shows: the real pass lowers the result of `memref.alloca_scope` to the argument of a block, but
// branches there with the operand as it was before the lowering: `llvm.br` with an `index`.
// Idea: found by lowering generated programs.
// Seen with: MLIR 22.1.8, pipeline `finalize-memref-to-llvm`.
// RUN: verify-ir passes %s -p mlir:finalize-memref-to-llvm --verify-diagnostics
func.func @handed_out(%n: index) -> index {
  %given = memref.alloca_scope -> (index) {
    // expected-error@+1 {{after:mlir:finalize-memref-to-llvm [E0305]}}
    memref.alloca_scope.return %n : index
  }
  return %given : index
}
