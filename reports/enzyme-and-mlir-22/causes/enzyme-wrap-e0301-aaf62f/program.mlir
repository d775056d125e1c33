func.func @f(%arg0: index, %arg1: index, %arg2: memref<1xf64>) {
  %0 = scf.for %arg3 = %arg0 to %arg0 step %arg1 iter_args(%arg4 = %arg2) -> (memref<1xf64>) {
    %1 = memref.load %arg4[%arg3] : memref<1xf64>
    scf.yield %arg2 : memref<1xf64>
  } {enzyme.enable_checkpointing = true}
  return
}
