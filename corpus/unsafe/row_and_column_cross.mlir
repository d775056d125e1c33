// Shows: a row and a column of one matrix. They share a single cell, which lies at another index
// in each of them.
// Idea: overlap of strided views in two dimensions.
// RUN: verify-ir check %s --verify-diagnostics
func.func @cross(%board: memref<5x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %row = memref.subview %board[1, 0] [1, 5] [1, 1] : memref<5x5xf32> to memref<5xf32, strided<[1], offset: 5>>
  %column = memref.subview %board[0, 3] [5, 1] [1, 1] : memref<5x5xf32> to memref<5xf32, strided<[5], offset: 3>>
  scf.for %i = %c0 to %c5 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %row[%i] : memref<5xf32, strided<[1], offset: 5>>
    %y = arith.addf %x, %x : f32
    memref.store %y, %column[%i] : memref<5xf32, strided<[5], offset: 3>>
  } {enzyme.enable_checkpointing = true}
  return
}
