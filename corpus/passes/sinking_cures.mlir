// Shows: E0101 before the pass and nothing after it.
// Idea: what `sink-checkpoint-views` is for. The view stays above the loop, unused.
// RUN: verify-ir passes %s -p sink-checkpoint-views --verify-diagnostics
func.func @cured(%tape: memref<6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %end = memref.subview %tape[%c5] [1] [1] : memref<6xf32> to memref<1xf32, strided<[1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %tape[%c5] : memref<6xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %end[%c0] : memref<1xf32, strided<[1], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
