// Shows: the loop writes and reads the same cell, through one captured view.
// Idea: a stale read needs two captures; one that is written and read is the ordinary case.
// RUN: verify-ir check %s --verify-diagnostics
func.func @one_name(%grid: memref<8x8xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %corner = memref.subview %grid[4, 4] [2, 2] [2, 2] : memref<8x8xf64> to memref<2x2xf64, strided<[16, 2], offset: 36>>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %corner[%c1, %c0] : memref<2x2xf64, strided<[16, 2], offset: 36>>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %corner[%c0, %c1] : memref<2x2xf64, strided<[16, 2], offset: 36>>
    memref.store %x, %corner[%c1, %c0] : memref<2x2xf64, strided<[16, 2], offset: 36>>
  } {enzyme.checkpoint_period = 4 : i64, enzyme.enable_checkpointing = true}
  return
}
