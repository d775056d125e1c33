// Shows: Enzyme takes the extent of a pointer from any hint among its users. A hint below the loop gives a
// size that is not defined yet where the snapshot is made.
// Idea: move the hint.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=late outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined}" --verify-diagnostics
// expected-error@+1 {{after:enzyme:enzyme-wrap{infn=late outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined} [E0305]}}
func.func @late(%value: !llvm.ptr) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %power = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %one) -> (f64) {
    %x = llvm.load %value : !llvm.ptr -> f64
    %next = arith.mulf %p, %x : f64
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true}
  %bytes = arith.constant 8 : i64
  llvm_ext.ptr_size_hint %value, %bytes : !llvm.ptr, i64
  return %power : f64
}
