// Shows: the same as two steps: cured after the first, broken again by the second.
// Idea: the blame goes to the pass that broke it.
// RUN: verify-ir passes %s -p "sink-checkpoint-views,mlir:func.func(loop-invariant-code-motion)" --verify-diagnostics
func.func @undone(%store: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %front = memref.subview %store[0] [4] [1] : memref<8xf32> to memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+3 {{[E0101]}}
    // expected-error@+2 {{after:mlir:func.func(loop-invariant-code-motion) [E0101]}}
    // expected-error@+1 {{after:mlir:func.func(loop-invariant-code-motion) [E0303]}}
    %x = memref.load %store[%c0] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %front[%c0] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
