// verdict: refuted E0101 arguments=may-alias
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  scf.if %c {
    %p:2 = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%c0] : memref<8xf32>
    %x = memref.load %b[%c0] : memref<8xf32>
    memref.store %x, %b[%c1] : memref<8xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
