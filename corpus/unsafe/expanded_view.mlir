// Shows: a flat buffer and the same cells as a 3 x 5 grid. The last row is written cell by cell.
// Idea: `memref.expand_shape` changes shape and not memory.
// RUN: verify-ir check %s --verify-diagnostics
func.func @last_row(%flat: memref<15xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c11 = arith.constant 11 : index
  %grid = memref.expand_shape %flat [[0, 1]] output_shape [3, 5] : memref<15xf32> into memref<3x5xf32>
  scf.for %column = %c0 to %c5 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %flat[%c11] : memref<15xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %grid[%c2, %column] : memref<3x5xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
