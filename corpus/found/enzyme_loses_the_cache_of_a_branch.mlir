// Shows: Enzyme refuses its own code for a loop with a binomial schedule, where a branch in the body has another
// branch in it, whose condition is computed there: the pass that removes caches finds none that is popped.
// With another schedule, or without checkpoints, the same loop compiles.
// Idea: found by differentiating drawn functions.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap,remove-unnecessary-enzyme-ops`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=f outfn= argTys=enzyme_dup,enzyme_active,enzyme_const retTys=enzyme_active mode=ReverseModeCombined},enzyme:remove-unnecessary-enzyme-ops" --verify-diagnostics
// A derivative is another function than its source: their equivalence is not asked.
// expected-remark@+1 {{after:enzyme:enzyme-wrap{infn=f outfn= argTys=enzyme_dup,enzyme_active,enzyme_const retTys=enzyme_active mode=ReverseModeCombined} [U0002]}}
func.func @f(%data: memref<4xf64>, %x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{after:enzyme:remove-unnecessary-enzyme-ops [E0301]}}
  %product = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> (f64) {
    %next = arith.mulf %p, %x : f64
    %is_first = arith.cmpi eq, %i, %c0 : index
    scf.if %is_first {
      %is_none = arith.cmpi eq, %n, %c0 : index
      scf.if %is_none {
        memref.store %x, %data[%i] : memref<4xf64>
      }
    }
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 2, enzyme.binomial_checkpointing}
  return %product : f64
}
