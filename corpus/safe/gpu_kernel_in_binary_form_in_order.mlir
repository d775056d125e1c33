// Shows: a kernel in binary form between a copy to the device and one back, on one chain.
// Idea: where tokens order everything, it does not matter what a kernel does to its arguments.
// RUN: verify-ir check %s --verify-diagnostics
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, "object">]
  func.func @round(%host: memref<8xf32>, %device: memref<8xf32, 1>) -> f32 {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %up = gpu.memcpy async %device, %host : memref<8xf32, 1>, memref<8xf32>
    %step = gpu.launch_func async [%up] @kernels::@step blocks in (%one, %one, %one) threads in (%eight, %one, %one) args(%device : memref<8xf32, 1>)
    %down = gpu.memcpy async [%step] %host, %device : memref<8xf32>, memref<8xf32, 1>
    gpu.wait [%down]
    %x = memref.load %host[%zero] : memref<8xf32>
    return %x : f32
  }
}
