func.func @f(%arg0: f64, %arg1: memref<?x?xf32>) {
  %0 = affine.for %arg2 = 1 to 2 iter_args(%arg3 = %arg0) -> (f64) {
    %cst = arith.constant 4.000000e+00 : f32
    memref.store %cst, %arg1[%arg2, %arg2] : memref<?x?xf32>
    affine.yield %arg3 : f64
  } {enzyme.enable_checkpointing = true}
  return
}
