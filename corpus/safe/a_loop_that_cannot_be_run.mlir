// Shows: a proof that says nothing, since no input lets the function run to its end.
// Idea: iteration 8 reads outside of the buffer, so there is no run to replay. The second function stays inside, and
// what is proven of it is proven of runs.
// RUN: verify-ir check %s --verify-diagnostics
// expected-note@+1 {{[N0004] no input lets `@too_far` run to its end, so what is proven of it says nothing}}
func.func @too_far(%cells: memref<8xf32>, %sum: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %x = memref.load %cells[%i] : memref<8xf32>
    memref.store %x, %sum[%c0] : memref<1xf32>
  } {enzyme.enable_checkpointing = true}
  return
}

func.func @far_enough(%cells: memref<8xf32>, %sum: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %cells[%i] : memref<8xf32>
    memref.store %x, %sum[%c0] : memref<1xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
