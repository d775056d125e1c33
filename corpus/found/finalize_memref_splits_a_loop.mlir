// Shows: the real pass makes blocks of `memref.alloca_scope`, also where the op around it allows only one: in a loop
// of `scf` or `affine`, or in a task. `gpu-to-llvm` does the same.
// Idea: found by a campaign; the other way round than in `convert_scf_splits_a_stack_scope.mlir`.
// Seen with: MLIR 22.1.8, pipeline `finalize-memref-to-llvm`.
// RUN: verify-ir passes %s -p mlir:finalize-memref-to-llvm --verify-diagnostics
func.func @scope(%from: index, %to: index, %step: index) {
  // expected-error@+1 {{after:mlir:finalize-memref-to-llvm [E0305]}}
  scf.for %i = %from to %to step %step {
    memref.alloca_scope {
    }
  }
  return
}
