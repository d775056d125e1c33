// Shows: an `scf.forall` over a grid; the write goes through a transposed view of the matrix.
// Idea: `scf.forall` is a loop like any other, and a transposed view is a view.
// RUN: verify-ir check %s --verify-diagnostics
func.func @mirror(%square: memref<4x4xf32>, %value: f32) {
  %flipped = memref.transpose %square (r, c) -> (c, r) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  scf.forall (%r, %c) in (4, 4) {
    memref.store %value, %flipped[%r, %c] : memref<4x4xf32, strided<[1, 4]>>
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %square[%c, %r] : memref<4x4xf32>
    %y = arith.negf %x : f32
    memref.store %y, %flipped[%r, %c] : memref<4x4xf32, strided<[1, 4]>>
  } {enzyme.enable_checkpointing = true}
  return
}
