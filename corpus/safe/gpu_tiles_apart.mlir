// Shows: two tiles of one buffer that share no byte, filled on two chains.
// Idea: the quiet form of E0201: without a common byte no order is needed.
// RUN: verify-ir check %s --verify-diagnostics
func.func @tiles(%m: memref<16xf32, 1>, %u: f32, %v: f32) {
  %low = memref.subview %m[0] [8] [1] : memref<16xf32, 1> to memref<8xf32, strided<[1]>, 1>
  %high = memref.subview %m[8] [8] [1] : memref<16xf32, 1> to memref<8xf32, strided<[1], offset: 8>, 1>
  %s0 = gpu.wait async
  %s1 = gpu.memset async [%s0] %low, %u : memref<8xf32, strided<[1]>, 1>, f32
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %high, %v : memref<8xf32, strided<[1], offset: 8>, 1>, f32
  gpu.wait [%s1, %t1]
  return
}
