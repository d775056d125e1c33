// Shows: the real pass lets the token out of a block that has no terminator, and waits for it where
// it is not visible.
// Idea: the current token ends with a wait before a terminator; a block need not have one.
// Seen with: MLIR 22.1.8, pipeline `func.func(gpu-async-region)`; the same with MLIR 16, 19 and 21.
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
func.func @outside(%field: memref<8xf32>, %zero: f32) {
  // expected-error@+1 {{after:mlir:func.func(gpu-async-region) [E0305]}}
  "vendor.graph"() ({
    gpu.memset %field, %zero : memref<8xf32>, f32
  }) : () -> ()
  return
}
