// Shows: three channels that interleave, pixel by pixel. Their ranges overlap, their cells do not.
// Idea: intervals cannot tell these views apart, remainders can.
// RUN: verify-ir check %s --verify-diagnostics
func.func @grey(%pixels: memref<48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %red = memref.subview %pixels[0] [16] [3] : memref<48xf32> to memref<16xf32, strided<[3]>>
  %green = memref.subview %pixels[1] [16] [3] : memref<48xf32> to memref<16xf32, strided<[3], offset: 1>>
  %blue = memref.subview %pixels[2] [16] [3] : memref<48xf32> to memref<16xf32, strided<[3], offset: 2>>
  scf.for %i = %c0 to %c16 step %c1 {
    %r = memref.load %red[%c0] : memref<16xf32, strided<[3]>>
    %g = memref.load %green[%i] : memref<16xf32, strided<[3], offset: 1>>
    %sum = arith.addf %r, %g : f32
    memref.store %sum, %blue[%i] : memref<16xf32, strided<[3], offset: 2>>
    memref.store %sum, %red[%i] : memref<16xf32, strided<[3]>>
  } {enzyme.enable_checkpointing = true}
  return
}
