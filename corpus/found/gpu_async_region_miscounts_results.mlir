// Shows: the real pass gives `gpu.spmm_buffer_size` a token and leaves the count of its results as it
// was, so that its output is not valid. It is the only op of the pass that counts its results.
// Idea: every op that can be asynchronous, in one function.
// Seen with: MLIR 22.1.8, pipeline `func.func(gpu-async-region)`; the same with MLIR 19 and 21 and enzyme-ad 0.0.16.
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
func.func @sizes(%values: memref<?xf64>, %places: memref<?xindex>, %n: index) {
  %dense = gpu.create_dn_tensor %values, %n : index into memref<?xf64>
  %sparse = gpu.create_csr %n, %n, %n, %places, %places, %values
    : memref<?xindex>, memref<?xindex>, memref<?xf64>
  // expected-error@+1 {{after:mlir:func.func(gpu-async-region) [E0305]}}
  %bytes = gpu.spmm_buffer_size %sparse, %dense, %dense : index into f64
  return
}
