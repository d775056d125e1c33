func.func @f(%arg0: memref<1xf32>) {
  %memspacecast = memref.memory_space_cast %arg0 : memref<1xf32> to memref<1xf32, #gpu.address_space<global>>
  return
}
