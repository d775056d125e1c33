// Shows: each cell is read through the buffer, then written through a cast, and never read again.
// Idea: the captures overlap entirely and there is a write, yet no read has it as its source.
// RUN: verify-ir check %s --verify-diagnostics
func.func @square_all(%values: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %same = memref.cast %values : memref<16xf32> to memref<?xf32>
  // expected-warning@+1 {{[W0102]}}
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %values[%i] : memref<16xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %same[%i] : memref<?xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
