// Shows: Enzyme differentiates an affine loop without checkpoints by a loop that runs the same way, from the
// first iteration to the last. Where an iteration reads what an earlier one wrote, the gradient is wrong. The
// same loop as `scf.for`, or checkpointed, is right.
// Idea: found by running this project's own examples through Enzyme.
// Seen with: enzyme-ad 0.0.16.
// RUN: verify-ir gradient %s --verify-diagnostics
func.func @affine(%steps: memref<5xf64>) {
  // expected-error@-1 {{after:gradient:off [E0401]}}
  affine.for %i = 1 to 4 {
    %left = affine.load %steps[%i - 1] : memref<5xf64>
    %twice = arith.addf %left, %left : f64
    affine.store %twice, %steps[%i] : memref<5xf64>
  }
  return
}

func.func @scf(%steps: memref<5xf64>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c1 to %c4 step %c1 {
    %before = arith.subi %i, %c1 : index
    %left = memref.load %steps[%before] : memref<5xf64>
    %twice = arith.addf %left, %left : f64
    memref.store %twice, %steps[%i] : memref<5xf64>
  }
  return
}
