// Shows: no iteration depends on another one. Each writes its cell through a cast and reads it
// back through the buffer, which is enough.
// Idea: checks for loop-carried dependences alone call this loop fine.
// RUN: verify-ir check %s --verify-diagnostics
func.func @scale(%data: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %two = arith.constant 2.0 : f32
  %same = memref.cast %data : memref<32xf32> to memref<?xf32>
  scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
    memref.store %two, %same[%i] : memref<?xf32>
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %data[%i] : memref<32xf32>
    %y = arith.mulf %x, %two : f32
    memref.store %y, %same[%i] : memref<?xf32>
    scf.reduce
  } {enzyme.enable_checkpointing = true}
  return
}
