// Shows: E0101 before the pass and still after it. `arith.select` is no view, so nothing is sunk.
// Idea: the pass has limits; the remedy is to select inside the loop.
// RUN: verify-ir passes %s -p sink-checkpoint-views --verify-diagnostics
func.func @still(%line: memref<4xf64>, %flag: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %lower = memref.subview %line[0] [2] [1] : memref<4xf64> to memref<2xf64>
  %upper = memref.subview %line[2] [2] [1] : memref<4xf64> to memref<2xf64, strided<[1], offset: 2>>
  %a = memref.cast %lower : memref<2xf64> to memref<2xf64, strided<[1], offset: ?>>
  %b = memref.cast %upper : memref<2xf64, strided<[1], offset: 2>> to memref<2xf64, strided<[1], offset: ?>>
  %part = arith.select %flag, %a, %b : memref<2xf64, strided<[1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+2 {{[E0101]}}
    // expected-error@+1 {{after:sink-checkpoint-views [E0101]}}
    %x = memref.load %line[%c2] : memref<4xf64>
    %y = arith.addf %x, %x : f64
    memref.store %y, %part[%c0] : memref<2xf64, strided<[1], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
