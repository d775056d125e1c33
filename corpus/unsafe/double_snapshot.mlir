// Shows: a buffer and a one-cell view of it, both captured. The sum is written through the view,
// and the last iteration reads that cell through the buffer.
// Idea: the fault for which Enzyme has its pass `sink-checkpoint-views`.
// RUN: verify-ir check %s --verify-diagnostics
func.func @running_sum(%cells: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %total = memref.subview %cells[3] [1] [1] : memref<4xf64> to memref<1xf64, strided<[1], offset: 3>>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %cell = memref.load %cells[%i] : memref<4xf64>
    %sum = memref.load %total[%c0] : memref<1xf64, strided<[1], offset: 3>>
    %next = arith.addf %sum, %cell : f64
    memref.store %next, %total[%c0] : memref<1xf64, strided<[1], offset: 3>>
  } {enzyme.enable_checkpointing = true}
  return
}
