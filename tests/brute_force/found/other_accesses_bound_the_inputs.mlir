// Expected: refuted (E0101; with 9 bytes and two iterations). Actual: undecided, U0003.
// The solver asks for three iterations, in the third of which the store is out of bounds. It is
// told that its two accesses are in bounds, and nothing about the others of the same iterations.
func.func @f(%m: index, %b: memref<?xi8>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.view %b[%c1][] : memref<?xi8> to memref<2xf32>
  scf.for %i = %c0 to %m step %c1 {
    memref.store %x, %v[%i] : memref<2xf32>
    %size = memref.dim %b, %c0 : memref<?xi8>
    %last = arith.subi %size, %c1 : index
    %y = memref.load %b[%last] : memref<?xi8>
  } {enzyme.enable_checkpointing = true}
  return
}
