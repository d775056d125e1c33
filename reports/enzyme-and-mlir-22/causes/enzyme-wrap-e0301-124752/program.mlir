func.func @f(%arg0: memref<1xf64>, %arg1: f64, %arg2: index) {
  scf.for %arg3 = %arg2 to %arg2 step %arg2 {
    %true = arith.constant true
    scf.if %true {
      memref.store %arg1, %arg0[%arg2] : memref<1xf64>
    }
  } {enzyme.enable_checkpointing = true}
  return
}
