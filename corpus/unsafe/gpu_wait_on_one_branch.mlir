// Shows: a wait on one branch only, and a read behind both.
// Idea: what holds behind an `scf.if` has to hold on either way through it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @branch(%c: i1, %host: memref<8xf32>, %device: memref<8xf32, 1>) -> f32 {
  %zero = arith.constant 0 : index
  // expected-error@+1 {{[E0203]}}
  %copied = gpu.memcpy async %host, %device : memref<8xf32>, memref<8xf32, 1>
  scf.if %c {
    gpu.wait [%copied]
  }
  // expected-error@+1 {{[E0202]}}
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
