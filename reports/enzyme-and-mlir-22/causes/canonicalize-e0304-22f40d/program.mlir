func.func @f(%arg0: index, %arg1: memref<1xf32>) {
  %cast = memref.cast %arg1 : memref<1xf32> to memref<?xf32, strided<[?], offset: ?>>
  %subview = memref.subview %cast[0] [1] [0] : memref<?xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[0], offset: ?>>
  %subview_0 = memref.subview %subview[%arg0] [1] [1] : memref<1xf32, strided<[0], offset: ?>> to memref<1xf32, strided<[0], offset: ?>>
  return
}
