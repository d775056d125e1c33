// Shows: branches with and without effects; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
func.func @clamped(%cells: memref<8xf32>, %p: i1, %n: index, %x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %inside = arith.cmpi slt, %n, %c8 : index
  %r = scf.if %inside -> (f32) {
    %sum = arith.addf %x, %y : f32
    scf.if %p {
      memref.store %sum, %cells[%c0] : memref<8xf32>
    }
    scf.yield %sum : f32
  } else {
    %same = arith.addf %x, %y : f32
    scf.yield %same : f32
  }
  %twice = scf.if %p -> (f32) {
    scf.yield %r : f32
  } else {
    scf.yield %x : f32
  }
  return %twice : f32
}
