// Shows: the lower half is written through the view, the upper half read through the buffer, each
// under its own condition.
// Idea: the overlap of the captures is real, but no path reads what the other one writes.
// RUN: verify-ir check %s --verify-diagnostics
func.func @split(%table: memref<16xf32>, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %low = memref.subview %table[0] [8] [1] : memref<16xf32> to memref<8xf32>
  // expected-warning@+1 {{[W0102]}}
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (f32) {
    %is_low = arith.cmpi ult, %i, %c8 : index
    %next = scf.if %is_low -> (f32) {
      memref.store %value, %low[%i] : memref<8xf32>
      scf.yield %acc : f32
    } else {
      %x = memref.load %table[%i] : memref<16xf32>
      %more = arith.addf %acc, %x : f32
      scf.yield %more : f32
    }
    scf.yield %next : f32
  } {enzyme.enable_checkpointing = true}
  return
}
