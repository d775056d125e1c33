// Shows: one wait for the ends of two chains.
// Idea: the quiet form of W0205: each token in the list speaks for work that the other does not.
// RUN: verify-ir check %s --verify-diagnostics
func.func @ends(%a: memref<8xf32, 1>, %b: memref<8xf32, 1>, %u: f32, %v: f32) {
  %s1 = gpu.memset async %a, %u : memref<8xf32, 1>, f32
  %s2 = gpu.memset async [%s1] %a, %v : memref<8xf32, 1>, f32
  %t1 = gpu.memset async %b, %v : memref<8xf32, 1>, f32
  gpu.wait [%s2, %t1]
  return
}
