func.func @f(%arg0: index, %arg1: f32, %arg2: memref<1xf32>) {
  %memspacecast = memref.memory_space_cast %arg2 : memref<1xf32> to memref<1xf32, #gpu.address_space<global>>
  affine.store %arg1, %memspacecast[%arg0] : memref<1xf32, #gpu.address_space<global>>
  %memref = gpu.alloc  () : memref<1xf32>
  return
}
