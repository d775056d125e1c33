// Shows: allocation, fill, copy and free of a buffer on one chain.
// Idea: the quiet form of E0204.
// RUN: verify-ir check %s --verify-diagnostics
func.func @life(%host: memref<8xf32>, %v: f32) {
  %buffer, %there = gpu.alloc async () : memref<8xf32, 1>
  %filled = gpu.memset async [%there] %buffer, %v : memref<8xf32, 1>, f32
  %copied = gpu.memcpy async [%filled] %host, %buffer : memref<8xf32>, memref<8xf32, 1>
  %gone = gpu.dealloc async [%copied] %buffer : memref<8xf32, 1>
  gpu.wait [%gone]
  return
}
