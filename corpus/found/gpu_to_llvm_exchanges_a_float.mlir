// Shows: the real pass makes a loop around a compare-and-exchange of `memref.generic_atomic_rmw`, whatever its
// elements are. LLVM's exchanges integers and pointers: with floats the output is not valid.
// Idea: found by a campaign; `finalize-memref-to-llvm` does the same.
// Seen with: MLIR 22.1.8, pipeline `gpu-to-llvm`.
// RUN: verify-ir passes %s -p mlir:gpu-to-llvm --verify-diagnostics
func.func @kept(%data: memref<4xf32>, %at: index) {
  // expected-error@+1 {{after:mlir:gpu-to-llvm [E0305]}}
  %old = memref.generic_atomic_rmw %data[%at] : memref<4xf32> {
  ^body(%x: f32):
    memref.atomic_yield %x : f32
  }
  return
}
