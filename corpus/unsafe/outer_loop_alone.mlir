// Shows: only the outer loop is checkpointed; one inner loop writes the view, the next one reads
// the buffer.
// Idea: accesses deep inside a body belong to the replay of the checkpointed loop around it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @sweeps(%field: memref<8xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %front = memref.subview %field[0] [4] [1] : memref<8xf32> to memref<4xf32>
  scf.for %t = %c0 to %steps step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      %x = memref.load %front[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %front[%i] : memref<4xf32>
    }
    %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (f32) {
      // expected-error@+1 {{[E0101]}}
      %x = memref.load %field[%i] : memref<8xf32>
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
  } {enzyme.enable_checkpointing = true}
  return
}
