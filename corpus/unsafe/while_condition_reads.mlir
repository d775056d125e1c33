// Shows: an `scf.while` reads the buffer in its condition and writes the view in its body.
// Idea: loops with two regions, where captures of both count.
// RUN: verify-ir check %s --verify-diagnostics
func.func @settle(%state: memref<3xf32>, %goal: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %error = memref.subview %state[2] [1] [1] : memref<3xf32> to memref<1xf32, strided<[1], offset: 2>>
  scf.while : () -> () {
    // expected-error@+1 {{[E0101]}}
    %e = memref.load %state[%c2] : memref<3xf32>
    %go = arith.cmpf ogt, %e, %goal : f32
    scf.condition(%go)
  } do {
    %old = memref.load %error[%c0] : memref<1xf32, strided<[1], offset: 2>>
    %half = arith.constant 5.0e-01 : f32
    %new = arith.mulf %old, %half : f32
    memref.store %new, %error[%c0] : memref<1xf32, strided<[1], offset: 2>>
    scf.yield
  } attributes {enzyme.enable_checkpointing = true}
  return
}
