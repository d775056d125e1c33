// Shows: which half is written depends on a flag; the loop also captures the whole buffer.
// Idea: a value that may lie in one of several places, through `arith.select`.
// RUN: verify-ir check %s --verify-diagnostics
func.func @pick_half(%pair: memref<2xf32>, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %first = memref.subview %pair[%c0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: ?>>
  %second = memref.subview %pair[%c1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: ?>>
  %half = arith.select %flag, %first, %second : memref<1xf32, strided<[1], offset: ?>>
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %pair[%i] : memref<2xf32>
    memref.store %x, %half[%c0] : memref<1xf32, strided<[1], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
