func.func @f(%arg0: index, %arg1: memref<?xf32>) {
  %reinterpret_cast = memref.reinterpret_cast %arg1 to offset: [0], sizes: [2], strides: [1] : memref<?xf32> to memref<2xf32, strided<[1]>>
  %subview = memref.subview %reinterpret_cast[1] [1] [1] : memref<2xf32, strided<[1]>> to memref<1xf32, strided<[1], offset: 1>>
  %c1 = arith.constant 1 : index
  scf.for %arg2 = %arg0 to %c1 step %c1 {
    %0 = memref.load %subview[%arg2] : memref<1xf32, strided<[1], offset: 1>>
  } {enzyme.enable_checkpointing = true}
  return
}
