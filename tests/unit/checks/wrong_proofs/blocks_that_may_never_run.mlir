// verdict: refuted E0101
func.func @f(%m: memref<8xf32>, %n: index, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f = arith.constant 1.0 : f32
  %lo = memref.subview %m[0] [8] [1] : memref<8xf32> to memref<8xf32>
  %big = arith.addi %n, %c8 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.execute_region {
      cf.br ^head
    ^head:
      cf.cond_br %c, ^a, ^b
    ^a:
      memref.store %f, %lo[%c0] : memref<8xf32>
      %x = memref.load %m[%c0] : memref<8xf32>
      memref.store %x, %m[%c1] : memref<8xf32>
      cf.cond_br %d, ^head, ^end
    ^b:
      %v = memref.subview %m[0] [%big] [1] : memref<8xf32> to memref<?xf32, strided<[1]>>
      %y = memref.load %v[%c0] : memref<?xf32, strided<[1]>>
      cf.br ^end
    ^end:
      scf.yield
    }
  } {enzyme.enable_checkpointing = true}
  return
}
