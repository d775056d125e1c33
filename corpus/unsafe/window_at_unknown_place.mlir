// Shows: where the view lies is known only at run time, and so is the number of iterations.
// Idea: a checker that folds constants sees no overlap here.
// RUN: verify-ir check %s --verify-diagnostics
func.func @mark(%row: memref<?xf32>, %where: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %spot = memref.subview %row[%where] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
  scf.for %i = %c0 to %count step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %row[%i] : memref<?xf32>
    memref.store %x, %spot[%c0] : memref<1xf32, strided<[1], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
