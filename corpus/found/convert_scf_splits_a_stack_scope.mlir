// Shows: the real pass turns a branch inside `memref.alloca_scope` into blocks there, where the op
// allows only one. Inside `async.execute` and `affine.for` it does the same.
// Idea: found by lowering generated programs.
// Seen with: MLIR 22.1.8, pipeline `convert-scf-to-cf`.
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
func.func @branch_inside(%data: memref<4xf32>, %flag: i1, %i: index, %x: f32) {
  // expected-error@+1 {{after:mlir:convert-scf-to-cf [E0305]}}
  memref.alloca_scope {
    scf.if %flag {
      memref.store %x, %data[%i] : memref<4xf32>
    }
  }
  return
}
