// Shows: an affine loop that writes element i through a view and reads element i - 1 of the buffer.
// Idea: the subscript is an affine expression, so the overlap is in the map and not in the index.
// RUN: verify-ir check %s --verify-diagnostics
func.func @prefix(%steps: memref<20xf64>, %one: f64) {
  %low = memref.subview %steps[0] [16] [1] : memref<20xf64> to memref<16xf64>
  affine.for %i = 1 to 16 {
    // expected-error@+1 {{[E0101]}}
    %left = affine.load %steps[%i - 1] : memref<20xf64>
    %here = arith.addf %left, %one : f64
    affine.store %here, %low[%i] : memref<16xf64>
  } {enzyme.enable_checkpointing = true}
  return
}
