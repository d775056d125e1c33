// Shows: the host writes to the source of a copy that may still be reading it.
// Idea: a staging buffer is used again for the next piece before the first one has gone out.
// RUN: verify-ir check %s --verify-diagnostics
func.func @staging(%stage: memref<4xf32>, %device: memref<4xf32, 1>, %u: f32, %v: f32) {
  %zero = arith.constant 0 : index
  memref.store %u, %stage[%zero] : memref<4xf32>
  %sent = gpu.memcpy async %device, %stage : memref<4xf32, 1>, memref<4xf32>
  // expected-error@+1 {{[E0202]}}
  memref.store %v, %stage[%zero] : memref<4xf32>
  gpu.wait [%sent]
  return
}
