// Shows: what is overwritten with a constant no longer counts, and its derivative is zero. Enzyme leaves the
// derivative as it was. Overwritten with a number that depends on an argument, it is right.
// Idea: the smallest of several files of this corpus that Enzyme got wrong without any checkpoint.
// Seen with: enzyme-ad 0.0.16.
// RUN: verify-ir gradient %s --verify-diagnostics
func.func @constant(%cells: memref<2xf64>) {
  // expected-error@-1 {{after:gradient:off [E0401] 2 of 4 elements differ from finite differences; %cells[0] is}}
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  memref.store %one, %cells[%c0] : memref<2xf64>
  return
}

func.func @number(%cells: memref<2xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  memref.store %x, %cells[%c0] : memref<2xf64>
  return
}
