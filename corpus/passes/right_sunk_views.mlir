// Shows: a checkpointed loop whose views have been sunk; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
func.func @running(%cells: memref<16xf32>, %n: index, %a: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %scale = arith.addf %a, %a : f32
    %head = memref.subview %cells[0] [1] [1] : memref<16xf32> to memref<1xf32, strided<[1]>>
    %x = memref.load %cells[%i] : memref<16xf32>
    %s = memref.load %head[%c0] : memref<1xf32, strided<[1]>>
    %p = arith.mulf %x, %scale : f32
    %t = arith.addf %s, %p : f32
    memref.store %t, %head[%c0] : memref<1xf32, strided<[1]>>
  }
  return
}
