// Shows: the same loop with a view at an offset that is only known at run time. As it stands it does not
// compile with checkpoints: the snapshot of the view is allocated with a layout whose offset nobody gives. After
// `sink-checkpoint-views`, of Enzyme or of this project, every schedule is right.
// Idea: the example from which this project began.
// Seen with: enzyme-ad 0.0.16.
// RUN: verify-ir gradient %s --value buf=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9 --value place=0 --sink both --verify-diagnostics
func.func @unknown(%buf: memref<9xf64>, %place: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f64
  // expected-error@+3 {{after:gradient:on:default [E0305] `enzyme:enzyme-wrap` gives invalid IR: `memref.alloc` op symbol operand count does not equal memref symbol count}}
  // expected-error@+2 {{after:gradient:on:periodic [E0305] `enzyme:enzyme-wrap` gives invalid IR: `memref.alloc` op symbol operand count does not equal memref symbol count}}
  // expected-error@+1 {{after:gradient:on:binomial [E0305] `enzyme:enzyme-wrap` gives invalid IR: `memref.alloc` op symbol operand count does not equal memref symbol count}}
  %view = memref.subview %buf[%place] [1] [1] : memref<9xf64> to memref<1xf64, strided<[1], offset: ?>>
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (f64) {
    %x = memref.load %buf[%c0] : memref<9xf64>
    %v = memref.load %buf[%i] : memref<9xf64>
    %product = arith.mulf %x, %v : f64
    %next = arith.addf %acc, %product : f64
    memref.store %next, %view[%c0] : memref<1xf64, strided<[1], offset: ?>>
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 3}
  return %sum : f64
}
