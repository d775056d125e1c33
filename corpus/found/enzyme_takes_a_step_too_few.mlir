// Shows: a loop from 0 to 3 in steps of 2 runs for 0 and 2. Enzyme counts its iterations by a division that rounds
// down: buffers for what is kept have one cell, and with checkpoints even the primal runs once. The gradient is
// wrong with checkpoints and without, for `scf.for` and `affine.for`. From 0 to 4 with checkpoints it is right.
// Idea: found by differentiating loops with bounds and steps that are not usual.
// Seen with: enzyme-ad 0.0.16.
// RUN: verify-ir gradient %s --verify-diagnostics --samples 1
func.func @every_second(%cells: memref<4xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // expected-error@+7 {{after:gradient:off [E0401]}}
  // expected-error@+6 {{after:gradient:on:default [E0401]}}
  // expected-error@+5 {{after:gradient:on:periodic [E0401]}}
  // expected-error@+4 {{after:gradient:on:binomial [E0401]}}
  // expected-error@+3 {{after:gradient:sunk:default [E0401]}}
  // expected-error@+2 {{after:gradient:sunk:periodic [E0401]}}
  // expected-error@+1 {{after:gradient:sunk:binomial [E0401]}}
  %product = scf.for %i = %c0 to %c3 step %c2 iter_args(%p = %x) -> (f64) {
    %cell = memref.load %cells[%i] : memref<4xf64>
    %next = arith.mulf %p, %cell : f64
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true}
  return %product : f64
}
