// Shows: the loop captures a ranked memref, cast from an unranked one, and is replayed rightly.
// Enzyme's pass sinks the cast, so that the loop captures only the unranked handle, which is not
// snapshotted: the pass breaks a loop that was fine.
// Idea: found by running the pass on every view op; `memref.cast` has a source that is not clonable.
// Seen with: enzyme-ad 0.0.16, pipeline `sink-checkpoint-views`.
// RUN: verify-ir passes %s -p enzyme:sink-checkpoint-views --verify-diagnostics
func.func @lost(%buffer: memref<4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %handle = memref.cast %buffer : memref<4xf64> to memref<*xf64>
  %ranked = memref.cast %handle : memref<*xf64> to memref<4xf64>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+2 {{after:enzyme:sink-checkpoint-views [E0105]}}
    // expected-error@+1 {{after:enzyme:sink-checkpoint-views [E0303]}}
    %x = memref.load %ranked[%c1] : memref<4xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %ranked[%c1] : memref<4xf64>
  } {enzyme.enable_checkpointing = true}
  return
}
