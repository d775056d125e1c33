// Shows: the body of a checkpointed loop reads at an index that is also the lower bound (or the step) of a loop
// in front of it. Enzyme's replay uses the constant where it does not stand yet: the output is not valid, with
// every schedule, for `scf.for` and `affine.for`. Without checkpoints, or with a constant of its own, all is well.
// Idea: found by differentiating drawn functions; a constant at the top of a function has many users.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=scaled outfn= argTys=enzyme_dup,enzyme_active retTys=enzyme_active mode=ReverseModeCombined}" --verify-diagnostics
func.func @scaled(%data: memref<4xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %data[%i] : memref<4xf64>
  }
  %product = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> (f64) {
    %first = memref.load %data[%c0] : memref<4xf64>
    %next = arith.mulf %p, %first : f64
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true}
  // expected-error@+1 {{after:enzyme:enzyme-wrap{infn=scaled outfn= argTys=enzyme_dup,enzyme_active retTys=enzyme_active mode=ReverseModeCombined} [E0305]}}
  return %product : f64
}
