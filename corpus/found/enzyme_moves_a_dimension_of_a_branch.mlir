// Shows: an `affine.if` on the induction variable of a loop with a binomial schedule. In Enzyme's replay that
// variable is computed by `arith` ops, which an affine op does not take as a dimension: the output is not valid.
// With the other schedules all is well, and so it is with `scf.if`.
// Idea: each kind of branch in a checkpointed loop.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=later outfn= argTys=enzyme_dup,enzyme_active retTys=enzyme_active mode=ReverseModeCombined}" --verify-diagnostics
func.func @later(%data: memref<4xf64>, %x: f64) -> f64 {
  %product = affine.for %i = 0 to 4 iter_args(%p = %x) -> (f64) {
    %y = memref.load %data[%i] : memref<4xf64>
    // expected-error@+1 {{after:enzyme:enzyme-wrap{infn=later outfn= argTys=enzyme_dup,enzyme_active retTys=enzyme_active mode=ReverseModeCombined} [E0305]}}
    %next = affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) -> f64 {
      %both = arith.mulf %p, %y : f64
      affine.yield %both : f64
    } else {
      affine.yield %p : f64
    }
    affine.yield %next : f64
  } {enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 2, enzyme.binomial_checkpointing}
  return %product : f64
}
