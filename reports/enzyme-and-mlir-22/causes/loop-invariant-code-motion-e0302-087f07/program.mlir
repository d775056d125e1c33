func.func @f(%arg0: index, %arg1: index, %arg2: index) {
  scf.for %arg3 = %arg0 to %arg1 step %arg0 {
    %0 = arith.remui %arg0, %arg2 : index
  }
  return
}
