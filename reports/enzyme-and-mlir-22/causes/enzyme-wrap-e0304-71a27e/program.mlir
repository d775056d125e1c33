func.func @hidden(%arg0: memref<1xf64>, %arg1: index) {
  %cast = memref.cast %arg0 : memref<1xf64> to memref<*xf64>
  scf.for %arg2 = %arg1 to %arg1 step %arg1 {
    %cast_0 = memref.cast %cast : memref<*xf64> to memref<1xf64>
    %cst = arith.constant 0.000000e+00 : f64
    memref.store %cst, %cast_0[%arg1] : memref<1xf64>
  } {enzyme.enable_checkpointing = true}
  return
}
