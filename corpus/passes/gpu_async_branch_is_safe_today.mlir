// Shows: the same program with today's form, which waits before the branch and has a chain of its own
// inside it.
// Idea: the other side of `gpu_async_first_form_leaks`.
// RUN: verify-ir passes %s -p gpu-async-region --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
// RUN: verify-ir passes %s -p "enzyme:func.func(gpu-async-region)" --verify-diagnostics
func.func @kept(%device: memref<4xf32, 1>, %host: memref<4xf32>, %zero: f32, %clear: i1) -> f32 {
  %c2 = arith.constant 2 : index
  gpu.memcpy %host, %device : memref<4xf32>, memref<4xf32, 1>
  scf.if %clear {
    gpu.memset %host, %zero : memref<4xf32>, f32
  }
  %x = memref.load %host[%c2] : memref<4xf32>
  return %x : f32
}
