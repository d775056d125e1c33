// Expected: no W0102, or a finding of its own: taking the snapshot reads beyond the allocation,
// although the loop itself never does. Actual: proven with W0102 "confirmed" by a run.
func.func @f(%b: memref<7xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %wide = memref.reinterpret_cast %b to offset: [0], sizes: [8], strides: [1] : memref<7xi32> to memref<8xi32, strided<[1]>>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %wide[%c0] : memref<8xi32, strided<[1]>>
    %y = memref.load %b[%c1] : memref<7xi32>
  } {enzyme.enable_checkpointing = true}
  return
}
