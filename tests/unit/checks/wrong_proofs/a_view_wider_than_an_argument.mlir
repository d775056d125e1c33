// verdict: refuted E0105
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %n step %c1 {
    %w = memref.reinterpret_cast %m to offset: [0], sizes: [16], strides: [1] : memref<8xf32> to memref<16xf32>
    %x = memref.load %w[%c12] : memref<16xf32>
    memref.store %x, %m[%c0] : memref<8xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
