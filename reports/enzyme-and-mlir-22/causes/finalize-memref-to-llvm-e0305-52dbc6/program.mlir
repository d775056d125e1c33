func.func @f(%arg0: i1) {
  scf.if %arg0 {
    memref.alloca_scope  {
    }
  }
  return
}
