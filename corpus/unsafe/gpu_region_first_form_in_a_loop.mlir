// Shows: the first form of `gpu-async-region` on an `scf.for` that may run no iteration at all.
// Idea: the body of a loop is a branch too; the token from above is waited for in the body only.
// RUN: verify-ir passes %s -p "gpu-async-region{form=first}" --verify-diagnostics
func.func @loop(%n: index, %host: memref<8xf32>, %device: memref<8xf32, 1>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error@+2 {{after:gpu-async-region{form=first} [E0203]}}
  // expected-error@+1 {{after:gpu-async-region{form=first} [E0303]}}
  gpu.memcpy %host, %device : memref<8xf32>, memref<8xf32, 1>
  scf.for %i = %zero to %n step %one {
    memref.store %v, %host[%i] : memref<8xf32>
  }
  // expected-error@+2 {{after:gpu-async-region{form=first} [E0202]}}
  // expected-error@+1 {{after:gpu-async-region{form=first} [E0303]}}
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
