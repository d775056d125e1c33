// Shows: the first form of `gpu-async-region` on an `scf.if` without `else`. Its token is waited for
// inside the branch, and on the way around the branch nothing waits.
// Idea: the question of the first review, whether the pass is right when control flow branches.
// RUN: verify-ir passes %s -p "gpu-async-region{form=first}" --verify-diagnostics
func.func @branch(%c: i1, %host: memref<8xf32>, %device: memref<8xf32, 1>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  // expected-error@+2 {{after:gpu-async-region{form=first} [E0203]}}
  // expected-error@+1 {{after:gpu-async-region{form=first} [E0303]}}
  gpu.memcpy %host, %device : memref<8xf32>, memref<8xf32, 1>
  scf.if %c {
    memref.store %v, %host[%zero] : memref<8xf32>
  }
  // expected-error@+2 {{after:gpu-async-region{form=first} [E0202]}}
  // expected-error@+1 {{after:gpu-async-region{form=first} [E0303]}}
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
