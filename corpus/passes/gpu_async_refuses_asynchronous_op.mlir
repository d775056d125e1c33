// Shows: an op that returns a token already is refused by name, in both forms.
// Idea: the pass starts from a function that is synchronous throughout.
// RUN: verify-ir passes %s -p gpu-async-region --verify-diagnostics
func.func @halfway(%cells: memref<32xf32>, %seed: f32, %before: !gpu.async.token) -> !gpu.async.token {
  // expected-error@+1 {{after:gpu-async-region [E0301] `gpu.memset` is asynchronous already}}
  %set = gpu.memset async [%before] %cells, %seed : memref<32xf32>, f32
  return %set : !gpu.async.token
}
