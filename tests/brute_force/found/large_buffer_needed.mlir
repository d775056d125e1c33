// Expected: refuted (E0101; iteration 4 reads what iteration 2 wrote; 9 elements are needed for
// its own store). Actual: undecided, U0003.
// The search draws sizes up to 8, and repeats the sizes that the solver asked for without change.
func.func @f(%n: index, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = memref.cast %b : memref<?xf32> to memref<?xf32, strided<[1]>>
  scf.for %i = %c0 to %n step %c2 {
    %y = memref.load %b[%i] : memref<?xf32>
    %one = arith.constant 1.0 : f32
    %twice = arith.muli %i, %c2 : index
    memref.store %one, %v[%twice] : memref<?xf32, strided<[1]>>
  } {enzyme.enable_checkpointing = true}
  return
}
