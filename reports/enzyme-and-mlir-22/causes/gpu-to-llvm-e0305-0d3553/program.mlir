func.func @f(%arg0: index) {
  scf.parallel (%arg1) = (%arg0) to (%arg0) step (%arg0) {
    memref.alloca_scope  {
      %memref = gpu.alloc  () : memref<1xf32>
    }
    scf.reduce
  }
  return
}
