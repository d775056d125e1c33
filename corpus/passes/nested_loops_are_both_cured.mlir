// Shows: the view above both loops is derived anew in the inner loop, so neither captures it.
// Idea: loops are treated innermost first.
// RUN: verify-ir passes %s -p sink-checkpoint-views --verify-diagnostics
func.func @levels(%plate: memref<5xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %hot = memref.subview %plate[3] [1] [1] : memref<5xf64> to memref<1xf64, strided<[1], offset: 3>>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %plate[%c3] : memref<5xf64>
    scf.for %j = %c0 to %n step %c1 {
      %y = memref.load %hot[%c0] : memref<1xf64, strided<[1], offset: 3>>
      %z = arith.mulf %x, %y : f64
      memref.store %z, %hot[%c0] : memref<1xf64, strided<[1], offset: 3>>
    } {enzyme.enable_checkpointing = true}
  } {enzyme.enable_checkpointing = true}
  return
}
