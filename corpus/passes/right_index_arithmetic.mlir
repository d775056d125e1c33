// Shows: indices computed in several ways; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
func.func @strided(%cells: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c2 {
    %j = arith.muli %i, %c2 : index
    %k = arith.addi %i, %i : index
    %l = arith.addi %j, %c3 : index
    %y = memref.load %cells[%k] : memref<?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %cells[%l] : memref<?xf32>
  }
  return
}
