// Shows: Enzyme carries the shadow of a memref beside it, in the region of a loop and not in what the loop begins
// with, and then refuses what it has made; checkpointed or not. Where the memref is written, Enzyme dies, as in
// `enzyme_dies_on_a_memref_in_iter_args.mlir`.
// Idea: found by a campaign, with `iter_args` of every type.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap`.
// RUN: verify-ir gradient %s --samples 1 --verify-diagnostics
func.func @f(%arg0: index, %arg1: index, %arg2: memref<1xf64>) {
  // expected-error@+7 {{after:gradient:off [E0301]}}
  // expected-error@+6 {{after:gradient:on:default [E0301]}}
  // expected-error@+5 {{after:gradient:on:periodic [E0301]}}
  // expected-error@+4 {{after:gradient:on:binomial [E0301]}}
  // expected-error@+3 {{after:gradient:sunk:default [E0301]}}
  // expected-error@+2 {{after:gradient:sunk:periodic [E0301]}}
  // expected-error@+1 {{after:gradient:sunk:binomial [E0301]}}
  %0 = scf.for %arg3 = %arg0 to %arg0 step %arg1 iter_args(%arg4 = %arg2) -> (memref<1xf64>) {
    %1 = memref.load %arg4[%arg3] : memref<1xf64>
    scf.yield %arg2 : memref<1xf64>
  } {enzyme.enable_checkpointing = true}
  return
}
