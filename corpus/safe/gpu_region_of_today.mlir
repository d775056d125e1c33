// Shows: today's form of `gpu-async-region` on an `scf.if` without `else`: it waits in front of it.
// Idea: with a chain of its own for each block, no token is used up on one branch only.
// RUN: verify-ir passes %s -p "gpu-async-region" --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
func.func @branch(%c: i1, %host: memref<8xf32>, %device: memref<8xf32, 1>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  gpu.memcpy %host, %device : memref<8xf32>, memref<8xf32, 1>
  scf.if %c {
    memref.store %v, %host[%zero] : memref<8xf32>
  }
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
