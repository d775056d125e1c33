// verdict: refuted E0101
func.func @f(%n: index, %z: index, %b: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%z) : memref<?xf32>
  %v = memref.subview %b[0][4][1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %isz = arith.cmpi eq, %z, %c0 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
    scf.if %isz {
      %y = memref.load %v[%c0] : memref<4xf32, strided<[1]>>
      %y2 = arith.addf %y, %x : f32
      memref.store %y2, %b[%c0] : memref<8xf32>
    }
  } {enzyme.enable_checkpointing = true}
  return
}
