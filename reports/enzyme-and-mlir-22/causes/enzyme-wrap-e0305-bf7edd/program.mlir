func.func @f(%arg0: memref<1xf64>, %arg1: f64, %arg2: index) {
  %0 = scf.for %arg3 = %arg2 to %arg2 step %arg2 iter_args(%arg4 = %arg1) -> (f64) {
    scf.yield %arg4 : f64
  }
  scf.for %arg3 = %arg2 to %arg2 step %arg2 {
    memref.store %0, %arg0[%arg2] : memref<1xf64>
  } {enzyme.enable_checkpointing = true}
  return
}
