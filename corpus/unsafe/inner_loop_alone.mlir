// Shows: only the inner loop is checkpointed; the view is made anew in each outer iteration.
// Idea: captures are relative to the loop, so values of the outer body count.
// RUN: verify-ir check %s --verify-diagnostics
func.func @rows(%table: memref<6x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %r = %c0 to %c6 step %c1 {
    %row = memref.subview %table[%r, 0] [1, 6] [1, 1] : memref<6x6xf32> to memref<6xf32, strided<[1], offset: ?>>
    scf.for %c = %c0 to %c6 step %c1 {
      // expected-error@+1 {{[E0101]}}
      %x = memref.load %table[%r, %c0] : memref<6x6xf32>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %row[%c0] : memref<6xf32, strided<[1], offset: ?>>
    } {enzyme.enable_checkpointing = true}
  }
  return
}
