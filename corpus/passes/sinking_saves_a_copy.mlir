// Shows: W0102 before the pass and nothing after it.
// Idea: sinking is worth its while also where nothing is wrong.
// RUN: verify-ir passes %s -p sink-checkpoint-views --verify-diagnostics
func.func @saved(%signal: memref<9xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %thirds = memref.subview %signal[0] [3] [3] : memref<9xf32> to memref<3xf32, strided<[3]>>
  // expected-warning@+1 {{[W0102]}}
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %signal[%i] : memref<9xf32>
    %y = memref.load %thirds[%i] : memref<3xf32, strided<[3]>>
    %xy = arith.mulf %x, %y : f32
    %next = arith.addf %acc, %xy : f32
    scf.yield %next : f32
  } {enzyme.enable_checkpointing = true}
  return %sum : f32
}
