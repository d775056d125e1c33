// Shows: a view at a static offset, sunk into the loop, is made in the replay from a snapshot. When
// `remove-unnecessary-enzyme-ops` puts all snapshots into one buffer, the snapshot becomes a slice of that at an
// unknown offset, and the type of the view keeps the offset that it had: the output is not valid.
// Idea: what `sink-checkpoint-views` leaves, run through the rest of a pipeline.
// Seen with: enzyme-ad 0.0.16, pipeline `enzyme-wrap,remove-unnecessary-enzyme-ops`; not with a binomial schedule.
// RUN: verify-ir passes %s -p "enzyme:enzyme-wrap{infn=sunk outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined},enzyme:remove-unnecessary-enzyme-ops" --verify-diagnostics
// A derivative is another function than its source: their equivalence is not asked.
// expected-remark@+1 {{after:enzyme:enzyme-wrap{infn=sunk outfn= argTys=enzyme_dup retTys=enzyme_active mode=ReverseModeCombined} [U0002]}}
func.func @sunk(%samples: memref<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %product = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %one) -> (f64) {
    // expected-error@+1 {{after:enzyme:remove-unnecessary-enzyme-ops [E0305]}}
    %four = memref.subview %samples[1] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1], offset: 1>>
    %x = memref.load %four[%i] : memref<4xf64, strided<[1], offset: 1>>
    %next = arith.mulf %p, %x : f64
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 2}
  return %product : f64
}
