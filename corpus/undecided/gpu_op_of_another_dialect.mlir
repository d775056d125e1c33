// Shows: an op that nothing is known about, while a copy runs.
// Idea: it may touch the target of the copy, and it may well not.
// RUN: verify-ir check %s --verify-diagnostics
func.func @between(%host: memref<8xf32>, %device: memref<8xf32, 1>) {
  %copied = gpu.memcpy async %host, %device : memref<8xf32>, memref<8xf32, 1>
  // expected-remark@+1 {{[U0002]}}
  "other.look"(%host) : (memref<8xf32>) -> ()
  gpu.wait [%copied]
  return
}
