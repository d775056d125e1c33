module attributes {gpu.container_module} {
  func.func @f(%arg0: memref<1xf32>, %arg1: memref<1xf32>, %arg2: index, %arg3: f32) {
    %token = async.execute {
      %token_0 = async.execute {
        %token_1 = async.execute {
          gpu.dealloc  %arg0 : memref<1xf32>
          async.yield
        }
        async.await %token_1 : !async.token
        async.yield
      }
      async.await %token_0 : !async.token
      gpu.launch_func  @kernels::@shift blocks in (%arg2, %arg2, %arg2) threads in (%arg2, %arg2, %arg2)  args(%arg1 : memref<1xf32>, %arg1 : memref<1xf32>, %arg2 : index, %arg3 : f32)
      async.yield
    }
    async.await %token : !async.token
    return
  }
}
