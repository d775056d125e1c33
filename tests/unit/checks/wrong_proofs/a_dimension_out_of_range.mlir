// verdict: proven
func.func @f(%m: memref<?xf32>) -> index {
  %c5 = arith.constant 5 : index
  %d = memref.dim %m, %c5 : memref<?xf32>
  return %d : index
}
