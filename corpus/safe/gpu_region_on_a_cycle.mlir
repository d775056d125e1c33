// Shows: both forms of `gpu-async-region` where blocks form a cycle.
// Idea: no token leaves a block, so it does not matter how often a block is entered.
// RUN: verify-ir passes %s -p "gpu-async-region{form=first}" --verify-diagnostics
// RUN: verify-ir passes %s -p "gpu-async-region" --verify-diagnostics
func.func @cycle(%n: index, %host: memref<8xf32>, %device: memref<8xf32, 1>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  gpu.memset %device, %v : memref<8xf32, 1>, f32
  cf.br ^head(%zero : index)
^head(%i: index):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  gpu.memcpy %host, %device : memref<8xf32>, memref<8xf32, 1>
  %y = memref.load %host[%zero] : memref<8xf32>
  gpu.memset %device, %y : memref<8xf32, 1>, f32
  %next = arith.addi %i, %one : index
  cf.br ^head(%next : index)
^end:
  gpu.memcpy %host, %device : memref<8xf32>, memref<8xf32, 1>
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
