// Shows: a kernel that is there in binary form only, beside a copy into a buffer that it is given.
// Idea: nothing tells what such a kernel does, so no run can show that the two disturb one another.
// RUN: verify-ir check %s --verify-diagnostics
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, "object">]
  func.func @beside(%a: memref<8xf32, 1>, %b: memref<8xf32, 1>) {
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %copied = gpu.memcpy async %a, %b : memref<8xf32, 1>, memref<8xf32, 1>
    // expected-remark@+1 {{[U0002] `gpu.launch_func` may run before `gpu.memcpy` is complete}}
    %stepped = gpu.launch_func async @kernels::@step blocks in (%one, %one, %one) threads in (%eight, %one, %one) args(%a : memref<8xf32, 1>)
    gpu.wait [%copied, %stepped]
    return
  }
}
