// Shows: a `gpu.wait` in front of synchronous ops is refused by name.
// Idea: a token that is there may be waited for already, and a token is used once.
// RUN: verify-ir passes %s -p gpu-async-region --verify-diagnostics
func.func @waits(%cells: memref<32xf32>, %seed: f32) {
  gpu.memset %cells, %seed : memref<32xf32>, f32
  // expected-error@+1 {{after:gpu-async-region [E0301] `gpu.wait` is there already}}
  gpu.wait
  return
}
