// Shows: the first version of the pass hands the token of the copy to the branch, which uses it up.
// Where the branch is not taken nothing waits for the copy, and the load may read what was there
// before.
// Idea: a walk that visits the ops of a region before the op that holds it, with one token for all.
// RUN: verify-ir passes %s -p gpu-async-region{form=first} --verify-diagnostics
func.func @leak(%device: memref<4xf32, 1>, %host: memref<4xf32>, %zero: f32, %clear: i1) -> f32 {
  %c2 = arith.constant 2 : index
  // expected-error@+2 {{after:gpu-async-region{form=first} [E0203]}}
  // expected-error@+1 {{after:gpu-async-region{form=first} [E0303]}}
  gpu.memcpy %host, %device : memref<4xf32>, memref<4xf32, 1>
  scf.if %clear {
    gpu.memset %host, %zero : memref<4xf32>, f32
  }
  // expected-error@+2 {{after:gpu-async-region{form=first} [E0202]}}
  // expected-error@+1 {{after:gpu-async-region{form=first} [E0303]}}
  %x = memref.load %host[%c2] : memref<4xf32>
  return %x : f32
}
