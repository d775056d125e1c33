func.func @f(%arg0: index, %arg1: memref<1x1xi32>) {
  %c0 = arith.constant 0 : index
  %subview = memref.subview %arg1[%c0, 0] [1, 1] [-1, 1] : memref<1x1xi32> to memref<1xi32, strided<[-1], offset: ?>>
  cf.br ^bb1
^bb1:  // 2 preds: ^bb0, ^bb1
  %0 = memref.load %subview[%arg0] : memref<1xi32, strided<[-1], offset: ?>>
  cf.br ^bb1
}
