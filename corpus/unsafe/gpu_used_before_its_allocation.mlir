// Shows: a buffer that is filled without waiting for its asynchronous allocation.
// Idea: `gpu.alloc async` gives a value at once, and memory behind it later.
// RUN: verify-ir check %s --verify-diagnostics
func.func @early(%host: memref<8xf32>, %v: f32) {
  %buffer, %there = gpu.alloc async () : memref<8xf32, 1>
  // expected-error@+1 {{[E0204]}}
  %filled = gpu.memset async %buffer, %v : memref<8xf32, 1>, f32
  %copied = gpu.memcpy async [%there, %filled] %host, %buffer : memref<8xf32>, memref<8xf32, 1>
  %gone = gpu.dealloc async [%copied] %buffer : memref<8xf32, 1>
  gpu.wait [%gone]
  return
}
