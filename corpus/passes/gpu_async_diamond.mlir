// Shows: both branches of a diamond set the buffer, and the block where they meet reads it. Each
// block waits at its end, so the order of the ops is kept.
// Idea: the question that the review of the pass asked: what of diamonds and cycles?
// RUN: verify-ir passes %s -p gpu-async-region --verify-diagnostics
// RUN: verify-ir passes %s -p gpu-async-region{form=first} --verify-diagnostics
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
func.func @diamond(%frame: memref<16xf32>, %black: f32, %white: f32, %night: i1) -> f32 {
  %c3 = arith.constant 3 : index
  gpu.memset %frame, %black : memref<16xf32>, f32
  cf.cond_br %night, ^dark, ^bright
^dark:
  gpu.memset %frame, %black : memref<16xf32>, f32
  cf.br ^show
^bright:
  gpu.memset %frame, %white : memref<16xf32>, f32
  cf.br ^show
^show:
  %x = memref.load %frame[%c3] : memref<16xf32>
  return %x : f32
}
