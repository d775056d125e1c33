// Shows: the same with Enzyme's own pass, on a chain of two views and a `while` loop.
// Idea: both regions of the loop need their own copy of the chain.
// RUN: verify-ir passes %s -p enzyme:sink-checkpoint-views --verify-diagnostics
func.func @cured(%stack: memref<3x4xf32>, %limit: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %row = memref.subview %stack[2, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<4xf32, strided<[1], offset: 8>>
  %two = memref.subview %row[1] [2] [1] : memref<4xf32, strided<[1], offset: 8>> to memref<2xf32, strided<[1], offset: 9>>
  scf.while : () -> () {
    %x = memref.load %two[%c0] : memref<2xf32, strided<[1], offset: 9>>
    %go = arith.cmpf olt, %x, %limit : f32
    scf.condition(%go)
  } do {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %stack[%c2, %c1] : memref<3x4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %two[%c0] : memref<2xf32, strided<[1], offset: 9>>
    scf.yield
  } attributes {enzyme.enable_checkpointing = true}
  return
}
