func.func @f(%arg0: index, %arg1: index, %arg2: f32, %arg3: memref<?x?xf32>) {
  %0 = scf.for %arg4 = %arg0 to %arg0 step %arg1 iter_args(%arg5 = %arg3) -> (memref<?x?xf32>) {
    memref.store %arg2, %arg5[%arg4, %arg4] : memref<?x?xf32>
    scf.yield %arg3 : memref<?x?xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
