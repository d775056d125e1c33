// Shows: the host reads the target of a copy before it waits for it.
// Idea: the wait is there, one line too late.
// RUN: verify-ir check %s --verify-diagnostics
func.func @too_early(%host: memref<8xf32>, %device: memref<8xf32, 1>) -> f32 {
  %zero = arith.constant 0 : index
  %ready = gpu.wait async
  %copied = gpu.memcpy async [%ready] %host, %device : memref<8xf32>, memref<8xf32, 1>
  // expected-error@+1 {{[E0202]}}
  %x = memref.load %host[%zero] : memref<8xf32>
  gpu.wait [%copied]
  return %x : f32
}
