// Shows: with binomial schedules, the gradient of two checkpointed loops, the second of which reads what the
// first writes through a view, is right as it stands. After `sink-checkpoint-views` it does not compile: what
// is made in the first loop is used outside of it.
// Idea: `safe/sibling_loops.mlir` of this corpus, differentiated.
// Seen with: enzyme-ad 0.0.16.
// RUN: verify-ir gradient %s --schedule binomial --verify-diagnostics
func.func @siblings(%data: memref<4xf64>, %value: f64) -> f64 {
  // expected-error@-1 {{after:gradient:sunk:binomial [E0305] `enzyme:enzyme-wrap` gives invalid IR: operand #0 does not dominate this use}}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %upper = memref.subview %data[2] [2] [1] : memref<4xf64> to memref<2xf64, strided<[1], offset: 2>>
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %value, %upper[%i] : memref<2xf64, strided<[1], offset: 2>>
  } {enzyme.enable_checkpointing = true}
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (f64) {
    %x = memref.load %data[%i] : memref<4xf64>
    %next = arith.addf %acc, %x : f64
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true}
  return %sum : f64
}
