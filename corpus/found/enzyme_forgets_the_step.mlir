// Shows: a loop takes cells 0 and 2. Its derivative runs backwards by taking the induction variable from the last
// bound, 4 - 1 - 0 and 4 - 1 - 2, and adds to cells 3 and 1: the gradient is wrong. With checkpoints the same loop
// is right, and so it is with a step of 1.
// Idea: found by differentiating loops with bounds and steps that are not usual.
// Seen with: enzyme-ad 0.0.16.
// RUN: verify-ir gradient %s --verify-diagnostics --samples 1
func.func @every_second(%cells: memref<4xf64>, %x: f64) -> f64 {
  // expected-error@-1 {{after:gradient:off [E0401]}}
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %product = scf.for %i = %c0 to %c4 step %c2 iter_args(%p = %x) -> (f64) {
    %cell = memref.load %cells[%i] : memref<4xf64>
    %next = arith.mulf %p, %cell : f64
    scf.yield %next : f64
  }
  return %product : f64
}
