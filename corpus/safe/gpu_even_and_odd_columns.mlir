// Shows: the even and the odd elements of one buffer, filled on two chains.
// Idea: two strided views lie inside one another's bounds and still have no byte in common.
// RUN: verify-ir check %s --verify-diagnostics
func.func @columns(%m: memref<16xf32, 1>, %u: f32, %v: f32) {
  %even = memref.subview %m[0] [8] [2] : memref<16xf32, 1> to memref<8xf32, strided<[2]>, 1>
  %odd = memref.subview %m[1] [8] [2] : memref<16xf32, 1> to memref<8xf32, strided<[2], offset: 1>, 1>
  %s = gpu.memset async %even, %u : memref<8xf32, strided<[2]>, 1>, f32
  %t = gpu.memset async %odd, %v : memref<8xf32, strided<[2], offset: 1>, 1>, f32
  gpu.wait [%s, %t]
  return
}
