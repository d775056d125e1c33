func.func @f(%arg0: memref<1xf32>, %arg1: memref<1xf32>, %arg2: f32, %arg3: !gpu.async.token) {
  %token, %bodyResults = async.execute -> !async.value<!gpu.async.token> {
    gpu.memset  %arg0, %arg2 : memref<1xf32>, f32
    async.yield %arg3 : !gpu.async.token
  }
  %0 = async.await %bodyResults : !async.value<!gpu.async.token>
  %1 = gpu.memcpy async %arg1, %arg0 : memref<1xf32>, memref<1xf32>
  async.await %token : !async.token
  gpu.wait [%1]
  return
}
