// Expected: proven, or refuted with a larger allocation behind the argument: the contract leaves
// open whether an argument is a whole allocation. Actual: undecided, U0003.
// The proof does not know that a run which leaves `%b` is undefined; the search knows.
func.func @f(%b: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %wide = memref.reinterpret_cast %b to offset: [0], sizes: [3], strides: [2] : memref<?xf32> to memref<3xf32, strided<[2]>>
    memref.store %x, %wide[%c1] : memref<3xf32, strided<[2]>>
  } {enzyme.enable_checkpointing = true}
  return
}
