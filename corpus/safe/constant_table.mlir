// Shows: the loop looks up a global that nobody writes.
// Idea: the quiet form of E0105; what never changes needs no snapshot.
// RUN: verify-ir check %s --verify-diagnostics
memref.global "private" constant @weights : memref<3xf32> = dense<[0.25, 0.5, 0.25]>
func.func @smooth(%signal: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %weights = memref.get_global @weights : memref<3xf32>
    %w = memref.load %weights[%c1] : memref<3xf32>
    %x = memref.load %signal[%i] : memref<8xf32>
    %y = arith.mulf %x, %w : f32
    memref.store %y, %signal[%i] : memref<8xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
