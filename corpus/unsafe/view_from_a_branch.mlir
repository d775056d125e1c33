// Shows: an `scf.if` gives back either of two views of the captured buffer.
// Idea: memrefs as results of structured control flow.
// RUN: verify-ir check %s --verify-diagnostics
func.func @either(%six: memref<6xf64>, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %part = scf.if %flag -> (memref<?xf64, strided<[?], offset: ?>>) {
    %evens = memref.subview %six[0] [3] [2] : memref<6xf64> to memref<3xf64, strided<[2]>>
    %wide = memref.cast %evens : memref<3xf64, strided<[2]>> to memref<?xf64, strided<[?], offset: ?>>
    scf.yield %wide : memref<?xf64, strided<[?], offset: ?>>
  } else {
    %tail = memref.subview %six[3] [3] [1] : memref<6xf64> to memref<3xf64, strided<[1], offset: 3>>
    %wide = memref.cast %tail : memref<3xf64, strided<[1], offset: 3>> to memref<?xf64, strided<[?], offset: ?>>
    scf.yield %wide : memref<?xf64, strided<[?], offset: ?>>
  }
  scf.for %i = %c0 to %c6 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %six[%i] : memref<6xf64>
    memref.store %x, %part[%c1] : memref<?xf64, strided<[?], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
