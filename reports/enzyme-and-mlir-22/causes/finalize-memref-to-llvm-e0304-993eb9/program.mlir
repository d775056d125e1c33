func.func @choose() {
  %alloc = memref.alloc() : memref<1xf32, #gpu.address_space<global>>
  return
}
