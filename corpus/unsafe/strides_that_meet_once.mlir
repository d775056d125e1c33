// Shows: every second and every third element. The writes go ahead of the reads, and the two
// meet at element 6 alone: iteration 2 writes it, iteration 3 reads it.
// Idea: bounds and greatest common divisors cannot settle this pair, only the exact cells can.
// RUN: verify-ir check %s --verify-diagnostics
func.func @sieve(%numbers: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %by2 = memref.subview %numbers[0] [4] [2] : memref<12xi32> to memref<4xi32, strided<[2]>>
  %by3 = memref.subview %numbers[0] [4] [3] : memref<12xi32> to memref<4xi32, strided<[3]>>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %by2[%i] : memref<4xi32, strided<[2]>>
    memref.store %x, %by3[%i] : memref<4xi32, strided<[3]>>
  } {enzyme.enable_checkpointing = true}
  return
}
