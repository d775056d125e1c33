// Shows: Enzyme's pass and loop-invariant code motion in one pipeline text. The second undoes the first
// and is blamed for it.
// Idea: a pipeline has to be checked after every pass, also where it is written as one.
// Run as one step, the promise of the first pass has to be kept at the end, and is not.
// RUN: verify-ir passes %s -p "enzyme:builtin.module(sink-checkpoint-views,loop-invariant-code-motion)" \
// RUN:   --whole-pipelines --verify-diagnostics
// RUN: verify-ir passes %s -p "enzyme:builtin.module(sink-checkpoint-views,loop-invariant-code-motion)" --verify-diagnostics
func.func @undone(%store: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %front = memref.subview %store[0] [4] [1] : memref<8xf32> to memref<4xf32>
  // expected-error@+1 {{after:enzyme:builtin.module(sink-checkpoint-views,loop-invariant-code-motion) [E0103]}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+4 {{[E0101]}}
    // expected-error@+3 {{after:enzyme:builtin.module(sink-checkpoint-views,loop-invariant-code-motion) [E0101]}}
    // expected-error@+2 {{after:enzyme:loop-invariant-code-motion [E0101]}}
    // expected-error@+1 {{after:enzyme:loop-invariant-code-motion [E0303]}}
    %x = memref.load %store[%c0] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %front[%c0] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
