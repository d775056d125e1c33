// Shows: both forms of `gpu-async-region` where blocks form a diamond.
// Idea: a branch is a terminator, and both forms wait in front of every terminator.
// RUN: verify-ir passes %s -p "gpu-async-region{form=first}" --verify-diagnostics
// RUN: verify-ir passes %s -p "gpu-async-region" --verify-diagnostics
func.func @diamond(%c: i1, %host: memref<8xf32>, %device: memref<8xf32, 1>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  gpu.memset %device, %v : memref<8xf32, 1>, f32
  cf.cond_br %c, ^left, ^right
^left:
  gpu.memcpy %host, %device : memref<8xf32>, memref<8xf32, 1>
  cf.br ^end
^right:
  memref.store %v, %host[%zero] : memref<8xf32>
  cf.br ^end
^end:
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
