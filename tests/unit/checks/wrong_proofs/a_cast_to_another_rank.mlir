// verdict: proven
func.func @f(%m: memref<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %u = memref.cast %m : memref<2x3xf32> to memref<*xf32>
  %r = memref.cast %u : memref<*xf32> to memref<6xf32>
  %x = memref.load %r[%c0] : memref<6xf32>
  return
}
