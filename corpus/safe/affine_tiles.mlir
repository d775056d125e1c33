// Shows: an affine loop over two views, one of the even tiles of four cells and one of the odd ones.
// Idea: disjointness that follows from a layout with two strides.
// RUN: verify-ir check %s --verify-diagnostics
func.func @tiles(%band: memref<32xf32>, %value: f32) {
  %grid = memref.expand_shape %band [[0, 1]] output_shape [8, 4] : memref<32xf32> into memref<8x4xf32>
  %even = memref.subview %grid[0, 0] [4, 4] [2, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[8, 1]>>
  %odd = memref.subview %grid[1, 0] [4, 4] [2, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  affine.for %t = 0 to 4 {
    affine.for %k = 0 to 4 {
      %x = affine.load %even[%t, 3 - %k] : memref<4x4xf32, strided<[8, 1]>>
      %y = affine.load %odd[0, %k] : memref<4x4xf32, strided<[8, 1], offset: 4>>
      %z = arith.addf %x, %y : f32
      affine.store %z, %odd[%t, %k] : memref<4x4xf32, strided<[8, 1], offset: 4>>
      affine.store %value, %even[%t, %k] : memref<4x4xf32, strided<[8, 1]>>
    }
  } {enzyme.enable_checkpointing = true}
  return
}
