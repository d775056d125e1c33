func.func @f(%arg0: index, %arg1: index, %arg2: memref<2x3xf32>) {
  %cast = memref.cast %arg2 : memref<2x3xf32> to memref<*xf32>
  %cast_0 = memref.cast %cast : memref<*xf32> to memref<?x3xf32>
  scf.for %arg3 = %arg0 to %arg1 step %arg0 {
    %0 = memref.load %cast_0[%arg3, %arg1] : memref<?x3xf32>
    %cst = arith.constant 0.000000e+00 : f32
    memref.store %cst, %cast_0[%arg3, %arg1] : memref<?x3xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
