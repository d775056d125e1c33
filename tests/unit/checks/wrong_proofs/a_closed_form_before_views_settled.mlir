// verdict: refuted E0101
func.func @f(%m: memref<64xf32>, %p: memref<4xf32>, %q: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f = arith.constant 1.0 : f32
  %pp = memref.cast %p : memref<4xf32> to memref<?xf32>
  %qq = memref.cast %q : memref<8xf32> to memref<?xf32>
  %lo = memref.subview %m[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  // k: 0, 4, 12, 20: the closed form says 0, 4, 8, 12
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0, %v = %pp) -> (index, memref<?xf32>) {
    %c12 = arith.constant 12 : index
    %c2 = arith.constant 2 : index
    %is2 = arith.cmpi eq, %i, %c2 : index
    %is = arith.cmpi eq, %k, %c12 : index
    %both = arith.andi %is2, %is : i1
    scf.if %both {
      memref.store %f, %lo[%c0] : memref<32xf32, strided<[1]>>
      %x = memref.load %m[%c0] : memref<64xf32>
      memref.store %x, %m[%c1] : memref<64xf32>
    }
    %d = memref.dim %v, %c0 : memref<?xf32>
    %k2 = arith.addi %k, %d : index
    scf.yield %k2, %qq : index, memref<?xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
