// Shows: `linalg.fill` writes a whole row view; the next iteration reads a cell of it by its matrix.
// Idea: structured ops write every element of their output.
// RUN: verify-ir check %s --verify-diagnostics
func.func @clear_row(%matrix: memref<3x4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %row = memref.subview %matrix[1, 0] [1, 4] [1, 1] : memref<3x4xf64> to memref<4xf64, strided<[1], offset: 4>>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[E0101]}}
    %x = memref.load %matrix[%c1, %c2] : memref<3x4xf64>
    %y = arith.addf %x, %x : f64
    linalg.fill ins(%y : f64) outs(%row : memref<4xf64, strided<[1], offset: 4>>)
  } {enzyme.enable_checkpointing = true}
  return
}
