// Shows: affine loops with affine indices; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
func.func @stencil(%in: memref<64xf32>, %out: memref<64xf32>, %k: f32) {
  affine.for %i = 1 to 63 {
    %left = affine.load %in[%i - 1] : memref<64xf32>
    %right = affine.load %in[%i + 1] : memref<64xf32>
    %sum = arith.addf %left, %right : f32
    %scaled = arith.mulf %sum, %k : f32
    affine.store %scaled, %out[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 32 {
    %x = affine.load %out[%i * 2] : memref<64xf32>
    affine.store %x, %in[%i] : memref<64xf32>
  }
  return
}
