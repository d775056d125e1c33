// Shows: the double-snapshot bug in a real gradient. A checkpointed loop reads a buffer and writes its first
// element through a view. With these numbers the derivative by element 1 is 0.253956, which Enzyme gives
// without checkpoints, and 2.53956 with them, whatever the schedule. Once the view is sunk, the binomial schedule is
// right, and the two others do not compile: the snapshots become rows of one buffer, and the type of the view
// in the loop keeps the layout that it had.
// Idea: the example from which this project began.
// Seen with: enzyme-ad 0.0.16.
// RUN: verify-ir gradient %s --value buf=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9 --verify-diagnostics
func.func @fixed(%buf: memref<9xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f64
  // expected-error@+2 {{after:gradient:sunk:default [E0305] `enzyme:remove-unnecessary-enzyme-ops` gives invalid IR: expected result type to be}}
  // expected-error@+1 {{after:gradient:sunk:periodic [E0305] `enzyme:remove-unnecessary-enzyme-ops` gives invalid IR: expected result type to be}}
  %view = memref.subview %buf[0] [1] [1] : memref<9xf64> to memref<1xf64, strided<[1]>>
  // expected-error@+3 {{after:gradient:on:default [E0401] 12 of 18 elements differ from finite differences; %buf[1] is 2.53956 and should be 0.253956}}
  // expected-error@+2 {{after:gradient:on:periodic [E0401] 12 of 18 elements differ from finite differences; %buf[1] is 2.53956 and should be 0.253956}}
  // expected-error@+1 {{after:gradient:on:binomial [E0401] 12 of 18 elements differ from finite differences; %buf[1] is 2.53956 and should be 0.253956}}
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (f64) {
    %x = memref.load %buf[%c0] : memref<9xf64>
    %v = memref.load %buf[%i] : memref<9xf64>
    %product = arith.mulf %x, %v : f64
    %next = arith.addf %acc, %product : f64
    memref.store %next, %view[%c0] : memref<1xf64, strided<[1]>>
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 3}
  return %sum : f64
}
