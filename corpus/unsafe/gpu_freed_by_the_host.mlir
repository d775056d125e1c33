// Shows: the host frees a buffer while a copy may still read it.
// Idea: a free without a token happens when the host gets there.
// RUN: verify-ir check %s --verify-diagnostics
func.func @free(%host: memref<8xf32>, %v: f32) {
  %buffer = gpu.alloc () : memref<8xf32, 1>
  gpu.memset %buffer, %v : memref<8xf32, 1>, f32
  %copied = gpu.memcpy async %host, %buffer : memref<8xf32>, memref<8xf32, 1>
  // expected-error@+1 {{[E0204]}}
  gpu.dealloc %buffer : memref<8xf32, 1>
  gpu.wait [%copied]
  return
}
