// Shows: Enzyme dies when a checkpointed loop captures a pointer whose extent it does not find, instead of
// refusing: a pointer argument with no size hint, even one that the loop only reads.
// Idea: a pointer's snapshot needs its size, which is not in its type.
// Seen with: enzyme-ad 0.0.16 (SIGSEGV, no message), pipeline `enzyme-wrap`, with every schedule. A pointer
// from `llvm.getelementptr` or `arith.select` of a hinted one does the same.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=read outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined}" --verify-diagnostics
// expected-error@-6 {{after:enzyme:enzyme-wrap{infn=read outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined} [E0304]}}
func.func @read(%value: !llvm.ptr) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %power = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %one) -> (f64) {
    %x = llvm.load %value : !llvm.ptr -> f64
    %next = arith.mulf %p, %x : f64
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true}
  return %power : f64
}
