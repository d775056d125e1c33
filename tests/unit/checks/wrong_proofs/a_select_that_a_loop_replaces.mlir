// verdict: refuted E0101
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 1.0 : f32
  %lo = memref.subview %a[0] [8] [1] : memref<8xf32> to memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.select %c, %lo, %b : memref<8xf32>
    // %x is %b in the first inner iteration and %lo from then on, when %c is false
    %r = scf.for %j = %c0 to %c2 step %c1 iter_args(%x = %v) -> (memref<8xf32>) {
      scf.if %c { } else {
        memref.store %f, %x[%c0] : memref<8xf32>
        %y = memref.load %a[%c0] : memref<8xf32>
        memref.store %y, %a[%c1] : memref<8xf32>
      }
      scf.yield %lo : memref<8xf32>
    }
  } {enzyme.enable_checkpointing = true}
  return
}
