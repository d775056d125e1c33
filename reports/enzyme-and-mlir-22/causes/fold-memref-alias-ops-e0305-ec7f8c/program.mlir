func.func @f(%arg0: memref<2xf32>) {
  %subview = memref.subview %arg0[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
  %c1 = arith.constant 1 : index
  %subview_0 = memref.subview %subview[0] [1] [%c1] : memref<1xf32, strided<[1], offset: 1>> to memref<1xf32, strided<[?], offset: 1>>
  %cast = memref.cast %subview_0 : memref<1xf32, strided<[?], offset: 1>> to memref<*xf32>
  gpu.host_register %cast : memref<*xf32>
  return
}
