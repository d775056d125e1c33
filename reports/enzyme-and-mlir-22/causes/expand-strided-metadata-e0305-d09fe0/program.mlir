func.func @f(%arg0: index, %arg1: f32, %arg2: memref<2x2x2x2xf32>) {
  affine.parallel (%arg3) = (0) to (1) {
    %subview = memref.subview %arg2[%arg3, 0, 0, 0] [1, 2, 2, 2] [1, 1, 1, 1] : memref<2x2x2x2xf32> to memref<2x2x2xf32, strided<[4, 2, 1], offset: ?>>
    %subview_0 = memref.subview %subview[%arg3, 0, 0] [1, 2, 2] [1, 1, 1] : memref<2x2x2xf32, strided<[4, 2, 1], offset: ?>> to memref<1x2x2xf32, strided<[4, 2, 1], offset: ?>>
    memref.store %arg1, %subview_0[%arg3, %arg0, %arg3] : memref<1x2x2xf32, strided<[4, 2, 1], offset: ?>>
  }
  return
}
