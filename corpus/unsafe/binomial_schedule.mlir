// Shows: the binomial schedule changes which segments are replayed, not whether they are right.
// Idea: schedule attributes are hints; the verdict holds for every schedule.
// RUN: verify-ir check %s --verify-diagnostics
func.func @binomial(%ledger: memref<7xf64>, %rate: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %middle = memref.subview %ledger[2] [3] [2] : memref<7xf64> to memref<3xf64, strided<[2], offset: 2>>
  scf.for %i = %c0 to %c7 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %ledger[%i] : memref<7xf64>
    %y = arith.mulf %x, %rate : f64
    memref.store %y, %middle[%c2] : memref<3xf64, strided<[2], offset: 2>>
  } {enzyme.binomial_checkpointing, enzyme.enable_checkpointing = true}
  return
}
