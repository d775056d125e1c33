// Shows: two kernels on two chains; the threads of each stay in a half of the buffer.
// Idea: a kernel with a body touches exactly what its threads touch, not all that it is given.
// RUN: verify-ir check %s --verify-diagnostics
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill(%m: memref<16xf32, 1>, %from: index, %v: f32) kernel {
      %t = gpu.thread_id x
      %at = arith.addi %t, %from : index
      memref.store %v, %m[%at] : memref<16xf32, 1>
      gpu.return
    }
  }
  func.func @halves(%m: memref<16xf32, 1>, %u: f32, %v: f32) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %s = gpu.launch_func async @kernels::@fill blocks in (%one, %one, %one) threads in (%eight, %one, %one) args(%m : memref<16xf32, 1>, %zero : index, %u : f32)
    %t = gpu.launch_func async @kernels::@fill blocks in (%one, %one, %one) threads in (%eight, %one, %one) args(%m : memref<16xf32, 1>, %eight : index, %v : f32)
    gpu.wait [%s, %t]
    return
  }
}
