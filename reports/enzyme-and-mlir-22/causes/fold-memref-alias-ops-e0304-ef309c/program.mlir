func.func @f(%arg0: index, %arg1: f32, %arg2: memref<2x2x1xf32>) {
  %subview = memref.subview %arg2[1, 0, 0] [1, 1, 1] [1, 3, 1] : memref<2x2x1xf32> to memref<1x1xf32, strided<[3, 1], offset: 2>>
  memref.store %arg1, %subview[%arg0, %arg0] : memref<1x1xf32, strided<[3, 1], offset: 2>>
  return
}
