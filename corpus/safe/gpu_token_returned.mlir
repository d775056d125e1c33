// Shows: a fill that still runs when its function returns, with its token as the result.
// Idea: the quiet form of E0203: the caller can wait.
// RUN: verify-ir check %s --verify-diagnostics
func.func @start(%device: memref<8xf32, 1>, %v: f32) -> !gpu.async.token {
  %t = gpu.memset async %device, %v : memref<8xf32, 1>, f32
  return %t : !gpu.async.token
}
