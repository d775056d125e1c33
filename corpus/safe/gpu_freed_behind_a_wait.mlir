// Shows: two copies on chains of their own; the host waits for both and frees their source.
// Idea: the quiet form of E0204: the free may stand on any path that both uses lead to.
// RUN: verify-ir check %s --verify-diagnostics
func.func @free(%one: memref<8xf32>, %two: memref<8xf32>, %v: f32) {
  %buffer = gpu.alloc () : memref<8xf32, 1>
  gpu.memset %buffer, %v : memref<8xf32, 1>, f32
  %s = gpu.memcpy async %one, %buffer : memref<8xf32>, memref<8xf32, 1>
  %t = gpu.memcpy async %two, %buffer : memref<8xf32>, memref<8xf32, 1>
  gpu.wait [%s, %t]
  gpu.dealloc %buffer : memref<8xf32, 1>
  return
}
