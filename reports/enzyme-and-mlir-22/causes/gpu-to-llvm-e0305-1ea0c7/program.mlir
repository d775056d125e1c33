func.func @f(%arg0: index, %arg1: memref<1xf32>) {
  %0 = memref.generic_atomic_rmw %arg1[%arg0] : memref<1xf32> {
  ^bb0(%arg2: f32):
    memref.atomic_yield %arg2 : f32
  }
  return
}
