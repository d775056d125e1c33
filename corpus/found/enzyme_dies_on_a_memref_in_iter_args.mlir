// Shows: Enzyme dies when a loop carries a memref from iteration to iteration, checkpointed or not.
// Idea: a view may come into a loop along `iter_args` as well as from above it.
// Seen with: enzyme-ad 0.0.16 (SIGTRAP, no message), pipeline `enzyme-wrap`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=carried outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined}" --verify-diagnostics
// expected-error@-4 {{after:enzyme:enzyme-wrap{infn=carried outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined} [E0304]}}
func.func @carried(%data: memref<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %one, %m = %data) -> (f64, memref<4xf64>) {
    %x = memref.load %m[%i] : memref<4xf64>
    %next = arith.mulf %p, %x : f64
    scf.yield %next, %m : f64, memref<4xf64>
  }
  return %r#0 : f64
}
