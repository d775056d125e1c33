// Shows: sums over buffers, with an invariant product and a value computed twice; what MLIR's passes make of it does the same.
// Idea: what passes legally do must be proven.
// RUN: verify-ir passes %s -p mlir:canonicalize --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:cse --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:loop-invariant-code-motion --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:lower-affine --verify-diagnostics
// RUN: verify-ir passes %s -p mlir:convert-scf-to-cf --verify-diagnostics
func.func @weighted(%cells: memref<?xf32>, %weights: memref<?xf32>, %n: index, %a: f32, %b: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %scale = arith.mulf %a, %b : f32
    %again = arith.mulf %a, %b : f32
    %x = memref.load %cells[%i] : memref<?xf32>
    %w = memref.load %weights[%i] : memref<?xf32>
    %wx = arith.mulf %x, %w : f32
    %one = arith.mulf %wx, %scale : f32
    %two = arith.addf %one, %again : f32
    %next = arith.addf %s, %two : f32
    scf.yield %next : f32
  }
  return %sum : f32
}
