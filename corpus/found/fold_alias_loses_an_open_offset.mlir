// Shows: the real pass folds a window into the window that it is taken of, and keeps the type. The new window
// begins at a place that its op states, and its type says that the place is open: the output is not valid.
// Idea: found by a campaign; views of views, with offsets that stand in the op or in values that are constant.
// Seen with: MLIR 22.1.8, pipeline `fold-memref-alias-ops`.
// RUN: verify-ir passes %s -p mlir:fold-memref-alias-ops --verify-diagnostics
func.func @windows(%value: f32, %data: memref<2xf32>) {
  %first = memref.subview %data[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{after:mlir:fold-memref-alias-ops [E0305]}}
  %second = memref.subview %first[%c0] [1] [1] : memref<1xf32, strided<[1], offset: 1>> to memref<1xf32, strided<[1], offset: ?>>
  affine.store %value, %second[%c0] : memref<1xf32, strided<[1], offset: ?>>
  return
}
