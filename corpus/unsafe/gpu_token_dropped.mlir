// Shows: a fill whose token nobody uses.
// Idea: an op was made asynchronous and its result forgotten.
// RUN: verify-ir check %s --verify-diagnostics
func.func @forget(%device: memref<8xf32, 1>, %v: f32) {
  // expected-error@+1 {{[E0203] `gpu.memset` may still run when the function returns}}
  %done = gpu.memset async %device, %v : memref<8xf32, 1>, f32
  return
}
