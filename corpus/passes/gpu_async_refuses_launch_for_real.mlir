// Shows: the real pass refuses the same op.
// Idea: the precondition that all versions of the pass share.
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
func.func @inline(%cells: memref<32xf32>, %seed: f32, %size: index) {
  // expected-error@+1 {{after:mlir:func.func(gpu-async-region) [E0301]}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %size, %gy = %size, %gz = %size)
             threads(%tx, %ty, %tz) in (%sx = %size, %sy = %size, %sz = %size) {
    memref.store %seed, %cells[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}
