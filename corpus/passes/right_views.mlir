// Shows: stores and loads through views of views; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
func.func @window(%cells: memref<16xf32>, %k: index, %x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = memref.subview %cells[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  %even = memref.subview %half[0] [4] [2] : memref<8xf32, strided<[1], offset: 8>> to memref<4xf32, strided<[2], offset: 8>>
  %open = memref.subview %cells[%k] [2] [1] : memref<16xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.store %x, %even[%c1] : memref<4xf32, strided<[2], offset: 8>>
  %y = memref.load %even[%c2] : memref<4xf32, strided<[2], offset: 8>>
  memref.store %y, %open[%c1] : memref<2xf32, strided<[1], offset: ?>>
  %z = memref.load %cells[%c2] : memref<16xf32>
  return %z : f32
}
