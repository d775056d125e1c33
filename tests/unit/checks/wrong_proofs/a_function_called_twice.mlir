// verdict: refuted E0202
func.func private @g(%d: memref<8xf32, 1>, %s: memref<8xf32>) -> !gpu.async.token {
  %t = gpu.memcpy async %d, %s : memref<8xf32, 1>, memref<8xf32>
  return %t : !gpu.async.token
}
func.func @f(%d: memref<8xf32, 1>, %d2: memref<8xf32, 1>, %s: memref<8xf32>, %s2: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %t1 = func.call @g(%d, %s) : (memref<8xf32, 1>, memref<8xf32>) -> !gpu.async.token
  %t2 = func.call @g(%d2, %s2) : (memref<8xf32, 1>, memref<8xf32>) -> !gpu.async.token
  gpu.wait [%t2]
  memref.store %x, %s[%c0] : memref<8xf32>
  gpu.wait [%t1]
  return
}
