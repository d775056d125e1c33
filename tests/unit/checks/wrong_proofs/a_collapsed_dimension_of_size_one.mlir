// verdict: refuted E0101
func.func @f(%m: memref<4x10xf32>, %n: index, %t: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %s = memref.subview %m[0, 0] [4, %n] [1, 1] : memref<4x10xf32> to memref<4x?xf32, strided<[10, 1]>>
  %c = memref.collapse_shape %s [[0, 1]] : memref<4x?xf32, strided<[10, 1]>> into memref<?xf32, strided<[?]>>
  %is = arith.cmpi eq, %n, %c1 : index
  scf.for %i = %c0 to %t step %c1 {
    scf.if %is {
      %row = arith.constant 1 : index
      memref.store %f, %c[%c1] : memref<?xf32, strided<[?]>>
      %x = memref.load %m[%c1, %c0] : memref<4x10xf32>
      memref.store %x, %m[%c0, %c0] : memref<4x10xf32>
    }
  } {enzyme.enable_checkpointing = true}
  return
}
