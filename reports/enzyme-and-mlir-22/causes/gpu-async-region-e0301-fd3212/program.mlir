module attributes {gpu.container_module} {
  func.func @f(%arg0: index, %arg1: f32, %arg2: !llvm.ptr, %arg3: memref<1xf32>) {
    %c0_i32 = arith.constant 0 : i32
    cf.switch %c0_i32 : i32, [
      default: ^bb1,
      0: ^bb2,
      1: ^bb3
    ]
  ^bb1:  // pred: ^bb0
    cf.br ^bb4
  ^bb2:  // pred: ^bb0
    cf.br ^bb4
  ^bb3:  // pred: ^bb0
    scf.for %arg4 = %arg0 to %arg0 step %arg0 {
      gpu.launch_func <%arg2 : !llvm.ptr> @kernels::@k0 blocks in (%arg4, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  args(%arg3 : memref<1xf32>, %arg1 : f32)
    }
    cf.br ^bb4
  ^bb4:  // 3 preds: ^bb1, ^bb2, ^bb3
    return
  }
}
