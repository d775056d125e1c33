func.func @f() {
  %memref, %asyncToken = gpu.alloc async () : memref<1xf32, #gpu.address_space<global>>
  return
}
