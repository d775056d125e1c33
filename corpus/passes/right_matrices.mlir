// Shows: a transposition of a matrix seen as a buffer; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
func.func @transposed(%a: memref<12xf32>, %b: memref<4x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %rows = memref.expand_shape %a [[0, 1]] output_shape [3, 4] : memref<12xf32> into memref<3x4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.load %rows[%i, %j] : memref<3x4xf32>
      memref.store %x, %b[%j, %i] : memref<4x3xf32>
    }
  }
  return
}
