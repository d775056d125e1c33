// Shows: a size hint counts bytes. Ten `f64` are hinted as ten bytes, and Enzyme's snapshots are copies of
// ten bytes, where the replay reads up to byte 79. With 80 bytes in the hint the loop is faithful.
// Idea: a test of Enzyme's own (`scf_for_checkpointing_binomial_ptr.mlir`) hints ten bytes for ten `f64`.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap`: `llvm_ext.memcpy` of ten bytes for each snapshot.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=short outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined}" --verify-diagnostics
// A derivative is another function than its source: their equivalence is not asked.
// expected-remark@+1 {{after:enzyme:enzyme-wrap{infn=short outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined} [U0002]}}
func.func @short(%prices: !llvm.ptr) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %none = arith.constant 0.0 : f64
  %bytes = arith.constant 10 : i64
  llvm_ext.ptr_size_hint %prices, %bytes : !llvm.ptr, i64
  %total = scf.for %day = %c0 to %c10 step %c1 iter_args(%sum = %none) -> (f64) {
    %k = arith.index_cast %day : index to i64
    %at = llvm.getelementptr %prices[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    // expected-error@+1 {{[E0105]}}
    %price = llvm.load %at : !llvm.ptr -> f64
    %more = arith.addf %sum, %price : f64
    llvm.store %more, %prices : f64, !llvm.ptr
    scf.yield %more : f64
  } {enzyme.enable_checkpointing = true, enzyme.binomial_checkpointing, enzyme.checkpoint_period = 4}
  return %total : f64
}

func.func @full(%prices: !llvm.ptr) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %none = arith.constant 0.0 : f64
  %bytes = arith.constant 80 : i64
  llvm_ext.ptr_size_hint %prices, %bytes : !llvm.ptr, i64
  %total = scf.for %day = %c0 to %c10 step %c1 iter_args(%sum = %none) -> (f64) {
    %k = arith.index_cast %day : index to i64
    %at = llvm.getelementptr %prices[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    %price = llvm.load %at : !llvm.ptr -> f64
    %more = arith.addf %sum, %price : f64
    llvm.store %more, %prices : f64, !llvm.ptr
    scf.yield %more : f64
  } {enzyme.enable_checkpointing = true, enzyme.binomial_checkpointing, enzyme.checkpoint_period = 4}
  return %total : f64
}
