// Expected: proven (W0102). Actual: undecided, U0003.
// Iteration i reads element i through the view and then writes it through the buffer; no later
// iteration comes back to it. The same loop as an `scf.for` is proven.
func.func @f(%b: memref<8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.cast %b : memref<8xf32> to memref<?xf32>
  %end = scf.while (%i = %c0) : (index) -> (index) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %y = memref.load %v[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<8xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  } attributes {enzyme.enable_checkpointing = true}
  return
}
