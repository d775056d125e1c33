// Shows: one byte is written through an i8 buffer, and the f32 that contains it is read through a
// `memref.view` of the same bytes.
// Idea: overlap is a matter of bytes; comparing element types or indices misses it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @patch(%raw: memref<16xi8>, %byte: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %floats = memref.view %raw[%c0][] : memref<16xi8> to memref<4xf32>
  %sum0 = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %sum0) -> (f32) {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %floats[%i] : memref<4xf32>
    memref.store %byte, %raw[%c5] : memref<16xi8>
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  } {enzyme.enable_checkpointing = true}
  return
}
