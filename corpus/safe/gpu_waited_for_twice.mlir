// Shows: a second wait for a chain that the host has already waited for.
// Idea: a wait that adds no order is no fault, and it is no help either.
// RUN: verify-ir check %s --verify-diagnostics
func.func @twice(%a: memref<8xf32>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %t = gpu.memset async %a, %v : memref<8xf32>, f32
  gpu.wait [%t]
  // expected-warning@+1 {{[W0205] this wait adds no order}}
  gpu.wait [%t]
  %x = memref.load %a[%zero] : memref<8xf32>
  return %x : f32
}
