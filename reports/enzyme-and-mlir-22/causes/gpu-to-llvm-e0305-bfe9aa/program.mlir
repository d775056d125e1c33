func.func @f(%arg0: memref<1xf32, 1>) {
  gpu.dealloc  %arg0 : memref<1xf32, 1>
  return
}
