// Shows: Enzyme differentiates `linalg.fill` and `linalg.copy` without a word as if the old contents stayed, and
// as if nothing came from what is filled in. Of a copy, the derivative by the source lacks what the target gives.
// For `memref.copy` it says that it has no derivative.
// Idea: a fill in a checkpointed loop of this corpus was wrong without checkpoints as well.
// Seen with: enzyme-ad 0.0.16.
// RUN: verify-ir gradient %s --verify-diagnostics
func.func @fill(%cells: memref<2xf64>, %x: f64) {
  // expected-error@-1 {{after:gradient:off [E0401] 6 of 6 elements differ from finite differences}}
  linalg.fill ins(%x : f64) outs(%cells : memref<2xf64>)
  return
}

func.func @copy(%from: memref<2xf64>, %to: memref<2xf64>) {
  // expected-error@-1 {{after:gradient:off [E0401] 8 of 8 elements differ from finite differences}}
  linalg.copy ins(%from : memref<2xf64>) outs(%to : memref<2xf64>)
  return
}

func.func @plain_copy(%from: memref<2xf64>, %to: memref<2xf64>) {
  // expected-error@+1 {{after:gradient:off [E0301] could not compute the adjoint for this operation}}
  memref.copy %from, %to : memref<2xf64> to memref<2xf64>
  return
}
