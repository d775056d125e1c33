// Shows: a copy that reads what another chain of tokens fills, without waiting for that chain.
// Idea: when one stream is forked into two, the join has to name both tokens.
// RUN: verify-ir check %s --verify-diagnostics
func.func @sum_of_halves(%left: memref<8xf32, 1>, %right: memref<8xf32, 1>, %v: f32) {
  %ready = gpu.wait async
  %l = gpu.memset async [%ready] %left, %v : memref<8xf32, 1>, f32
  %other = gpu.wait async
  %r = gpu.memset async [%other] %right, %v : memref<8xf32, 1>, f32
  // expected-error@+1 {{[E0201] `gpu.memcpy` may run before `gpu.memset`}}
  %c = gpu.memcpy async [%l] %left, %right : memref<8xf32, 1>, memref<8xf32, 1>
  gpu.wait [%c, %r]
  return
}
