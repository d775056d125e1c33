// verdict: refuted E0105
memref.global @g : memref<4xf32>
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %g = memref.get_global @g : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %h = memref.get_global @g : memref<4xf32>
    memref.store %f, %h[%c0] : memref<4xf32>
    %y = memref.load %g[%c0] : memref<4xf32>
    memref.store %y, %g[%c1] : memref<4xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
