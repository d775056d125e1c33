func.func @free() {
  %memref = gpu.alloc  () : memref<1xf32, 1>
  return
}
