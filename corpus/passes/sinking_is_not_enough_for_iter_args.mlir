// Shows: E0101 before the pass and still after it. The view is the initial value of an `iter_args`
// value, which is no capture that the pass looks at.
// Idea: the second limit of the pass.
// RUN: verify-ir passes %s -p sink-checkpoint-views --verify-diagnostics
func.func @still(%queue: memref<6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %back = memref.subview %queue[4] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: 4>>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %back) -> (memref<2xf32, strided<[1], offset: 4>>) {
    // expected-error@+2 {{[E0101]}}
    // expected-error@+1 {{after:sink-checkpoint-views [E0101]}}
    %x = memref.load %queue[%c4] : memref<6xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %at[%c0] : memref<2xf32, strided<[1], offset: 4>>
    scf.yield %at : memref<2xf32, strided<[1], offset: 4>>
  } {enzyme.enable_checkpointing = true}
  return
}
