// Shows: a buffer that is freed on a chain which does not follow its last use.
// Idea: the free waits for the fill, and the copy from the buffer was added later.
// RUN: verify-ir check %s --verify-diagnostics
func.func @free(%host: memref<8xf32>, %v: f32) {
  %buffer, %there = gpu.alloc async () : memref<8xf32, 1>
  %filled = gpu.memset async [%there] %buffer, %v : memref<8xf32, 1>, f32
  %copied = gpu.memcpy async [%filled] %host, %buffer : memref<8xf32>, memref<8xf32, 1>
  // expected-error@+1 {{[E0204]}}
  %gone = gpu.dealloc async [%filled] %buffer : memref<8xf32, 1>
  gpu.wait [%copied, %gone]
  return
}
