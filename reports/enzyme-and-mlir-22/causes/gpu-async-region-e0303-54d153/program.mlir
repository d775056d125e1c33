module attributes {gpu.container_module} {
  func.func @f(%arg0: index, %arg1: !gpu.async.token) {
    %token, %bodyResults = async.execute -> !async.value<!gpu.async.token> {
      gpu.launch_func  @kernels::@kernel5 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
      async.yield %arg1 : !gpu.async.token
    }
    scf.for %arg2 = %arg0 to %arg0 step %arg0 {
      async.await %token : !async.token
    }
    %0 = async.await %bodyResults : !async.value<!gpu.async.token>
    return
  }
}
