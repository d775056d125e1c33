// Shows: a copy that depends on a fill and on what comes before that fill.
// Idea: a dependency that follows from another one only makes the graph larger.
// RUN: verify-ir check %s --verify-diagnostics
func.func @chain(%a: memref<8xf32, 1>, %b: memref<8xf32, 1>, %u: f32, %v: f32) {
  %s = gpu.memset async %a, %u : memref<8xf32, 1>, f32
  %t = gpu.memset async [%s] %b, %v : memref<8xf32, 1>, f32
  // expected-warning@+1 {{[W0205] the dependency on `%s` adds no order}}
  %c = gpu.memcpy async [%s, %t] %a, %b : memref<8xf32, 1>, memref<8xf32, 1>
  gpu.wait [%c]
  return
}
