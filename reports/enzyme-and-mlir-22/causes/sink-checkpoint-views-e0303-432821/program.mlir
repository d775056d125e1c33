func.func @strides(%arg0: memref<?xf32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %assume_align = memref.assume_alignment %arg0, 8 : memref<?xf32, strided<[?], offset: ?>>
  scf.for %arg1 = %c0 to %c1 step %c1 {
    %0 = memref.load %assume_align[%arg1] : memref<?xf32, strided<[?], offset: ?>>
  } {enzyme.enable_checkpointing = true}
  return
}
