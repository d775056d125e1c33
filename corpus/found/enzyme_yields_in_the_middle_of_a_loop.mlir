// Shows: Enzyme's code for a loop that is checkpointed every few iterations and has no results has a
// terminator before the end of a block. With a result, or a binomial schedule, it is right.
// Idea: the usual loop without its `iter_args`.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=squares outfn= argTys=enzyme_dup retTys= mode=ReverseModeCombined}" --verify-diagnostics
func.func @squares(%data: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{after:enzyme:enzyme-wrap{infn=squares outfn= argTys=enzyme_dup retTys= mode=ReverseModeCombined} [E0305]}}
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %data[%i] : memref<4xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %data[%i] : memref<4xf64>
  } {enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 2}
  return
}
