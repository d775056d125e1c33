// Shows: an `affine.parallel` over blocks of four; each writes its block through a flat view and
// reads a cell of it through the two-dimensional buffer.
// Idea: the commonest loop of GPU code raised to affine form, with a collapsed view.
// RUN: verify-ir check %s --verify-diagnostics
func.func @blocks(%tiles: memref<8x4xf32>, %fill: f32) {
  %flat = memref.collapse_shape %tiles [[0, 1]] : memref<8x4xf32> into memref<32xf32>
  affine.parallel (%b) = (0) to (8) {
    affine.store %fill, %flat[%b * 4 + 3] : memref<32xf32>
    // expected-error@+1 {{[E0101]}}
    %x = affine.load %tiles[%b, 3] : memref<8x4xf32>
    %y = arith.addf %x, %fill : f32
    affine.store %y, %flat[%b * 4 + 3] : memref<32xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
