// Shows: a `gpu.launch` that was not outlined is refused by name.
// Idea: its body is host code to the pass, so it cannot be made to run later.
// RUN: verify-ir passes %s -p gpu-async-region --verify-diagnostics
func.func @inline(%cells: memref<32xf32>, %seed: f32, %size: index) {
  // expected-error@+1 {{after:gpu-async-region [E0301] `gpu.launch` has to be outlined}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %size, %gy = %size, %gz = %size)
             threads(%tx, %ty, %tz) in (%sx = %size, %sy = %size, %sz = %size) {
    memref.store %seed, %cells[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}
