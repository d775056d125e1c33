// Expected: proven (W0102). Actual: undecided, U0003.
// The loop runs once, and reads before it writes. The counter that an `scf.while` carries is not
// known to grow from 0 in steps of 1, so that the write seems to come before a read.
func.func @f(%b: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.cast %b : memref<4xf32> to memref<?xf32>
  %end = scf.while (%i = %c0) : (index) -> (index) {
    %go = arith.cmpi slt, %i, %c1 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %y = memref.load %v[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<4xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  } attributes {enzyme.enable_checkpointing = true}
  return
}
