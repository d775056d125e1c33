// Expected: refuted (E0101; `%p` true, `%m` at least 3, 5 bytes). Actual: undecided, U0003.
// The size that the solver asks for is too small for `%wide`, which the two accesses do not use;
// every run with it is undefined.
func.func @f(%m: index, %p: i1, %b: memref<?xi8>, %x: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %wide = memref.view %b[%c1][%c2] : memref<?xi8> to memref<?xi32>
  %v = memref.subview %b [%c0] [%m] [1] : memref<?xi8> to memref<?xi8, strided<[1], offset: ?>>
  %w = memref.subview %b [%c2] [1] [1] : memref<?xi8> to memref<1xi8, strided<[1], offset: ?>>
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %x, %w[%c0] : memref<1xi8, strided<[1], offset: ?>>
    scf.if %p {
      %y = memref.load %v[%c2] : memref<?xi8, strided<[1], offset: ?>>
    }
  } {enzyme.enable_checkpointing = true}
  return
}
