// Shows: Enzyme's pass sinks `memref.assume_alignment` as a view. The copy that a replay works on
// need not have the alignment that the body now asserts: undefined behaviour that was not there.
// Idea: found by comparing the list of ops that the pass sinks with what a snapshot keeps.
// Seen with: enzyme-ad 0.0.16, pipeline `sink-checkpoint-views`.
// RUN: verify-ir passes %s -p enzyme:sink-checkpoint-views --verify-diagnostics
func.func @asserted(%data: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+2 {{after:enzyme:sink-checkpoint-views [E0106]}}
  // expected-error@+1 {{after:enzyme:sink-checkpoint-views [E0303]}}
  %aligned = memref.assume_alignment %data, 64 : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %aligned[%c1] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %aligned[%c1] : memref<64xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
