// Shows: one wait on each of two branches, for the same copy.
// Idea: the quiet form of W0205: on every path there is one wait.
// RUN: verify-ir check %s --verify-diagnostics
func.func @either(%c: i1, %host: memref<8xf32>, %device: memref<8xf32, 1>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %t = gpu.memcpy async %host, %device : memref<8xf32>, memref<8xf32, 1>
  scf.if %c {
    gpu.wait [%t]
    memref.store %v, %host[%zero] : memref<8xf32>
  } else {
    gpu.wait [%t]
  }
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
