// Shows: the same loop without a view. Every schedule gives the right gradient, before and after the pass.
// Idea: the quiet form of the files beside this one.
// RUN: verify-ir gradient %s --sink both --verify-diagnostics
func.func @plain(%buf: memref<9xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> (f64) {
    %x = memref.load %buf[%c0] : memref<9xf64>
    %v = memref.load %buf[%i] : memref<9xf64>
    %product = arith.mulf %x, %v : f64
    %next = arith.addf %acc, %product : f64
    memref.store %next, %buf[%c0] : memref<9xf64>
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true, enzyme.checkpoint_period = 3}
  return %sum : f64
}
