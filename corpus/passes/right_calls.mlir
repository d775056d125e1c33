// Shows: calls of a function with a body and of one without; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
func.func private @observe(f32)
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func @observed(%cells: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %cells[%i] : memref<?xf32>
    %y = func.call @square(%x) : (f32) -> f32
    func.call @observe(%y) : (f32) -> ()
    memref.store %y, %cells[%i] : memref<?xf32>
  }
  return
}
