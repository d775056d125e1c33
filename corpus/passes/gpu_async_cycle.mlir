// Shows: the body of a loop made of branches copies to the host, and its head reads what came.
// Idea: the other half of that question. The chain ends with the block, and begins anew in the next
// round.
// RUN: verify-ir passes %s -p gpu-async-region --verify-diagnostics
// RUN: verify-ir passes %s -p gpu-async-region{form=first} --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
func.func @cycle(%device: memref<4xf32, 1>, %host: memref<4xf32>, %limit: f32) {
  %c0 = arith.constant 0 : index
  cf.br ^head
^head:
  %x = memref.load %host[%c0] : memref<4xf32>
  %more = arith.cmpf olt, %x, %limit : f32
  cf.cond_br %more, ^body, ^exit
^body:
  gpu.memset %device, %limit : memref<4xf32, 1>, f32
  gpu.memcpy %host, %device : memref<4xf32>, memref<4xf32, 1>
  cf.br ^head
^exit:
  return
}
