// Shows: where the halves meet is known only at run time, yet they never overlap.
// Idea: disjointness from a symbolic bound, with no number to fold.
// RUN: verify-ir check %s --verify-diagnostics
func.func @halves(%buffer: memref<?xf64>, %half: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = memref.subview %buffer[0] [%half] [1] : memref<?xf64> to memref<?xf64, strided<[1]>>
  %high = memref.subview %buffer[%half] [%half] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  scf.for %i = %c0 to %half step %c1 {
    %x = memref.load %low[%c0] : memref<?xf64, strided<[1]>>
    memref.store %x, %high[%i] : memref<?xf64, strided<[1], offset: ?>>
    memref.store %x, %low[%i] : memref<?xf64, strided<[1]>>
  } {enzyme.enable_checkpointing = true}
  return
}
