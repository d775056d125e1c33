// Shows: two rows of one matrix, at places known only at run time, that are never the same: the
// second is the one below the first.
// Idea: the pair of `unsafe/row_and_column_cross.mlir`; symbolic offsets that differ by a constant.
// RUN: verify-ir check %s --verify-diagnostics
func.func @below(%board: memref<9x5xf32>, %r: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %next = arith.addi %r, %c1 : index
  %above = memref.subview %board[%r, 0] [1, 5] [1, 1] : memref<9x5xf32> to memref<5xf32, strided<[1], offset: ?>>
  %below = memref.subview %board[%next, 0] [1, 5] [1, 1] : memref<9x5xf32> to memref<5xf32, strided<[1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.remui %i, %c5 : index
    %x = memref.load %above[%k] : memref<5xf32, strided<[1], offset: ?>>
    %y = memref.load %below[%c0] : memref<5xf32, strided<[1], offset: ?>>
    %z = arith.addf %x, %y : f32
    memref.store %z, %below[%k] : memref<5xf32, strided<[1], offset: ?>>
    memref.store %y, %above[%k] : memref<5xf32, strided<[1], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
