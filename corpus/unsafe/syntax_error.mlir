// Shows: a file that is not MLIR: an operand is missing.
// Idea: what cannot be read has a place, and is never taken for proven.
// RUN: verify-ir check %s --verify-diagnostics
func.func @broken(%data: memref<8xf32>, %i: index) {
  // expected-error@+1 {{[E0001]}}
  memref.store %data[%i] : memref<8xf32>
  return
}
