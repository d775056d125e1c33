// Shows: with one iteration nothing is read after the write, whatever overlaps.
// Idea: the trip count is part of the proof.
// RUN: verify-ir check %s --verify-diagnostics
func.func @once(%pair: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.subview %pair[0] [1] [1] : memref<2xf32> to memref<1xf32>
  // expected-warning@+1 {{[W0102]}}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = memref.load %pair[%c0] : memref<2xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %first[%c0] : memref<1xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
