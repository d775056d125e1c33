// Shows: the window is derived in the body, so the loop captures the buffer alone.
// Idea: what a program looks like after `sink-checkpoint-views`; the quiet form of E0101.
// RUN: verify-ir check %s --verify-diagnostics
func.func @inside(%frame: memref<6x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = memref.subview %frame[2, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: 8>>
    %x = memref.load %frame[%c2, %c1] : memref<6x4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %row[%c1] : memref<4xf32, strided<[1], offset: 8>>
  } {enzyme.enable_checkpointing = true, enzyme.binomial_checkpointing}
  return
}
