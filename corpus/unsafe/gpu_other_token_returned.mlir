// Shows: a function that starts two fills and returns the token of one.
// Idea: work may outlive a function when the caller gets a token that speaks for it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @start(%a: memref<8xf32, 1>, %b: memref<8xf32, 1>, %v: f32) -> !gpu.async.token {
  %s = gpu.memset async %a, %v : memref<8xf32, 1>, f32
  // expected-error@+1 {{[E0203]}}
  %t = gpu.memset async %b, %v : memref<8xf32, 1>, f32
  return %s : !gpu.async.token
}
