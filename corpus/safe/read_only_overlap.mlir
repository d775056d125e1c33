// Shows: two overlapping captures that the loop only reads. Both copies stay right; one of them
// is a waste.
// Idea: overlap alone is no fault, so it is a warning.
// RUN: verify-ir check %s --verify-diagnostics
func.func @moving_difference(%series: memref<12xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f64
  %ahead = memref.subview %series[2] [10] [1] : memref<12xf64> to memref<10xf64, strided<[1], offset: 2>>
  // expected-warning@+1 {{[W0102]}}
  %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> (f64) {
    %now = memref.load %series[%i] : memref<12xf64>
    %then = memref.load %ahead[%i] : memref<10xf64, strided<[1], offset: 2>>
    %difference = arith.subf %then, %now : f64
    %next = arith.addf %acc, %difference : f64
    scf.yield %next : f64
  } {enzyme.enable_checkpointing = true}
  return %sum : f64
}
