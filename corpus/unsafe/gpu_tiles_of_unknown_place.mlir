// Shows: two windows of four elements at places that are only known when the program runs.
// Idea: no token orders the two, and nothing keeps the places apart.
// RUN: verify-ir check %s --verify-diagnostics
func.func @windows(%m: memref<16xf32, 1>, %i: index, %j: index, %u: f32, %v: f32) {
  %a = memref.subview %m[%i] [4] [1] : memref<16xf32, 1> to memref<4xf32, strided<[1], offset: ?>, 1>
  %b = memref.subview %m[%j] [4] [1] : memref<16xf32, 1> to memref<4xf32, strided<[1], offset: ?>, 1>
  %s = gpu.memset async %a, %u : memref<4xf32, strided<[1], offset: ?>, 1>, f32
  // expected-error@+1 {{[E0201]}}
  %t = gpu.memset async %b, %v : memref<4xf32, strided<[1], offset: ?>, 1>, f32
  gpu.wait [%s, %t]
  return
}
