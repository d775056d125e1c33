// Shows: two kernels on two chains whose threads write the same row.
// Idea: a kernel's accesses follow from its body and the size of its launch.
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
  func.func @rows(%m: memref<16xf32, 1>, %u: f32, %v: f32) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %seven = arith.constant 7 : index
    %eight = arith.constant 8 : index
    %s = gpu.launch_func async @kernels::@fill blocks in (%one, %one, %one) threads in (%eight, %one, %one) args(%m : memref<16xf32, 1>, %zero : index, %u : f32)
    // expected-error@+1 {{[E0201]}}
    %t = gpu.launch_func async @kernels::@fill blocks in (%one, %one, %one) threads in (%eight, %one, %one) args(%m : memref<16xf32, 1>, %seven : index, %v : f32)
    gpu.wait [%s, %t]
    return
  }
}
