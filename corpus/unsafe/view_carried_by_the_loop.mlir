// Shows: the view enters the loop as an `iter_args` value, the buffer as a capture.
// Idea: a loop-carried memref has its own copy too, although it is no free value of the body.
// RUN: verify-ir check %s --verify-diagnostics
func.func @carried(%ring: memref<5xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %slot = memref.subview %ring[2] [1] [1] : memref<5xf32> to memref<1xf32, strided<[1], offset: 2>>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %slot) -> (memref<1xf32, strided<[1], offset: 2>>) {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %ring[%c2] : memref<5xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %at[%c0] : memref<1xf32, strided<[1], offset: 2>>
    scf.yield %at : memref<1xf32, strided<[1], offset: 2>>
  } {enzyme.enable_checkpointing = true}
  return
}
