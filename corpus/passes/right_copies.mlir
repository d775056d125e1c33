// Shows: copies and fills between a buffer and fresh ones; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
func.func @backup(%cells: memref<8xf32>, %x: f32) -> f32 {
  %c3 = arith.constant 3 : index
  %kept = memref.alloc() : memref<8xf32>
  memref.copy %cells, %kept : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%cells : memref<8xf32>)
  %old = memref.load %kept[%c3] : memref<8xf32>
  %new = memref.load %cells[%c3] : memref<8xf32>
  %r = arith.subf %new, %old : f32
  memref.dealloc %kept : memref<8xf32>
  return %r : f32
}
