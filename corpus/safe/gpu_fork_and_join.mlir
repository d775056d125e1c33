// Shows: two chains of tokens that both come together in front of the op that needs both.
// Idea: the quiet form of E0201: every conflicting pair is ordered by some token.
// RUN: verify-ir check %s --verify-diagnostics
func.func @sum_of_halves(%left: memref<8xf32, 1>, %right: memref<8xf32, 1>, %v: f32) {
  %ready = gpu.wait async
  %l = gpu.memset async [%ready] %left, %v : memref<8xf32, 1>, f32
  %other = gpu.wait async
  %r = gpu.memset async [%other] %right, %v : memref<8xf32, 1>, f32
  %both = gpu.wait async [%l, %r]
  %c = gpu.memcpy async [%both] %left, %right : memref<8xf32, 1>, memref<8xf32, 1>
  gpu.wait [%c]
  return
}
