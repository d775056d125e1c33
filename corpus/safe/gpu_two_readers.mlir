// Shows: two copies and the host read one buffer, without any order.
// Idea: the quiet form of E0202: two reads do not conflict.
// RUN: verify-ir check %s --verify-diagnostics
func.func @broadcast(%host: memref<8xf32>, %a: memref<8xf32, 1>, %b: memref<8xf32, 1>) -> f32 {
  %zero = arith.constant 0 : index
  %s = gpu.memcpy async %a, %host : memref<8xf32, 1>, memref<8xf32>
  %t = gpu.memcpy async %b, %host : memref<8xf32, 1>, memref<8xf32>
  %x = memref.load %host[%zero] : memref<8xf32>
  gpu.wait [%s, %t]
  return %x : f32
}
