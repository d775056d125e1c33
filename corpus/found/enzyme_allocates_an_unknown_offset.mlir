// Shows: the snapshot of a view at a dynamic offset is allocated with the view's own layout, whose unknown
// offset the allocation would have to be given. The output is not valid. After `sink-checkpoint-views`
// the source is captured in place of the view, and all is well. A dynamic stride does the same.
// Idea: a snapshot keeps the type of what is captured.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap`.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=window outfn= argTys=enzyme_dup,enzyme_const retTys=enzyme_active mode=ReverseModeCombined}" --verify-diagnostics
func.func @window(%samples: memref<8xf64>, %first: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  // expected-error@+1 {{after:enzyme:enzyme-wrap{infn=window outfn= argTys=enzyme_dup,enzyme_const retTys=enzyme_active mode=ReverseModeCombined} [E0305]}}
  %four = memref.subview %samples[%first] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1], offset: ?>>
  %product = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %one) -> (f64) {
    %x = memref.load %four[%i] : memref<4xf64, strided<[1], offset: ?>>
    %next = arith.mulf %p, %x : f64
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true}
  return %product : f64
}
