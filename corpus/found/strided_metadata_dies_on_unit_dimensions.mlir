// Shows: the real pass dies where a window drops one of two unit dimensions and a dynamic step
// leaves open which of them it is.
// Idea: found by lowering generated programs.
// Seen with: MLIR 22.1.8 (SIGABRT: "unable to find unused dims of subview"), pipeline
// `expand-strided-metadata`; `fold-memref-alias-ops` dies alike.
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
// expected-error@-6 {{after:mlir:expand-strided-metadata [E0304]}}
func.func @row(%data: memref<2x2x4xf32>, %step: index, %i: index) -> f32 {
  %zero = arith.constant 0 : index
  %row = memref.subview %data[0, 0, 0] [1, 1, 4] [1, %step, 1]
    : memref<2x2x4xf32> to memref<1x4xf32, strided<[?, 1]>>
  %x = memref.load %row[%zero, %i] : memref<1x4xf32, strided<[?, 1]>>
  return %x : f32
}
