func.func @f(%arg0: f64, %arg1: index, %arg2: memref<1xf64, strided<[1], offset: ?>>) -> f64 {
  %0 = scf.for %arg3 = %arg1 to %arg1 step %arg1 iter_args(%arg4 = %arg0) -> (f64) {
    %1 = memref.load %arg2[%arg1] : memref<1xf64, strided<[1], offset: ?>>
    scf.yield %arg4 : f64
  } {enzyme.enable_checkpointing = true}
  return %0 : f64
}
