// Shows: the real pass folds the offset of a window of a window into a map, and hands it the counter of a loop as a
// symbol. Inside `affine.parallel` that is none, as it changes: the output is not valid.
// Idea: found by a campaign; two views in a row, both at a place that a counter picks.
// Seen with: MLIR 22.1.8, pipeline `expand-strided-metadata`; enzyme-ad 0.0.16 refuses its own output.
// RUN: verify-ir passes %s -p mlir:expand-strided-metadata --verify-diagnostics
func.func @f(%arg0: index, %arg1: f32, %arg2: memref<2x2x2x2xf32>) {
  affine.parallel (%arg3) = (0) to (1) {
    %subview = memref.subview %arg2[%arg3, 0, 0, 0] [1, 2, 2, 2] [1, 1, 1, 1] : memref<2x2x2x2xf32> to memref<2x2x2xf32, strided<[4, 2, 1], offset: ?>>
    // expected-error@+1 {{after:mlir:expand-strided-metadata [E0305]}}
    %subview_0 = memref.subview %subview[%arg3, 0, 0] [1, 2, 2] [1, 1, 1] : memref<2x2x2xf32, strided<[4, 2, 1], offset: ?>> to memref<1x2x2xf32, strided<[4, 2, 1], offset: ?>>
    memref.store %arg1, %subview_0[%arg3, %arg0, %arg3] : memref<1x2x2xf32, strided<[4, 2, 1], offset: ?>>
  }
  return
}
