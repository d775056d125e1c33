func.func @f(%arg0: f32, %arg1: memref<1x1x1xf32>) {
  %subview = memref.subview %arg1[0, 0, 0] [1, 1, 1] [1, 2, 1] : memref<1x1x1xf32> to memref<1x1xf32, strided<[2, 1]>>
  linalg.fill ins(%arg0 : f32) outs(%subview : memref<1x1xf32, strided<[2, 1]>>)
  return
}
