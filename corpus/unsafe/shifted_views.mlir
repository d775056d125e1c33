// Shows: two views shifted by one element. Each iteration writes what the next one reads.
// Idea: a one-step recurrence, the commonest loop-carried dependence.
// RUN: verify-ir check %s --verify-diagnostics
func.func @recurrence(%line: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %here = memref.subview %line[0] [8] [1] : memref<9xf32> to memref<8xf32>
  %ahead = memref.subview %line[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %here[%i] : memref<8xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %ahead[%i] : memref<8xf32, strided<[1], offset: 1>>
  } {enzyme.enable_checkpointing = true}
  return
}
