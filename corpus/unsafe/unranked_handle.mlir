// Shows: the loop captures an unranked memref and casts it back inside. Unranked memrefs are not
// cloned, so no snapshot covers the buffer.
// Idea: `memref.cast` to an unranked type hides a buffer from the snapshot, not from the loop.
// RUN: verify-ir check %s --verify-diagnostics
func.func @hidden(%buffer: memref<4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %handle = memref.cast %buffer : memref<4xf64> to memref<*xf64>
  scf.for %i = %c0 to %n step %c1 {
    %ranked = memref.cast %handle : memref<*xf64> to memref<4xf64>
    // expected-error@+1 {{[E0105]}}
    %x = memref.load %ranked[%c1] : memref<4xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %ranked[%c1] : memref<4xf64>
  } {enzyme.enable_checkpointing = true}
  return
}
