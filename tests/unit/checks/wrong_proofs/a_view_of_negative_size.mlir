// verdict: undecided U0003
func.func @f(%m: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = arith.constant 3 : i32
  %a = memref.subview %m[0] [4] [1] : memref<?xi32> to memref<4xi32, strided<[1]>>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.subi %i, %c2 : index
    %s = memref.subview %m[0] [%k] [1] : memref<?xi32> to memref<?xi32, strided<[1]>>
    linalg.fill ins(%w : i32) outs(%s : memref<?xi32, strided<[1]>>)
    %x = memref.load %a[%c0] : memref<4xi32, strided<[1]>>
    memref.store %x, %m[%c1] : memref<?xi32>
  } {enzyme.enable_checkpointing = true}
  return
}
