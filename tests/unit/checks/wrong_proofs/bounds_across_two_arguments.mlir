// verdict: refuted E0101 arguments=may-alias
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %f = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %b[%c5] : memref<8xf32>
    %x = memref.load %a[%c0] : memref<8xf32>
    memref.store %x, %a[%c1] : memref<8xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
