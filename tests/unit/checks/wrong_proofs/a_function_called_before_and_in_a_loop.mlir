// verdict: refuted E0201 E0202
func.func private @g(%d: memref<8xf32, 1>, %s: memref<8xf32>) -> !gpu.async.token {
  %t = gpu.memcpy async %d, %s : memref<8xf32, 1>, memref<8xf32>
  return %t : !gpu.async.token
}
func.func @f(%d: memref<8xf32, 1>, %d2: memref<8xf32, 1>, %s: memref<8xf32>, %s2: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %j = gpu.wait async
  %t1 = func.call @g(%d, %s) : (memref<8xf32, 1>, memref<8xf32>) -> !gpu.async.token
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %j) -> (!gpu.async.token) {
    %t2 = func.call @g(%d2, %s2) : (memref<8xf32, 1>, memref<8xf32>) -> !gpu.async.token
    %t3 = gpu.wait async [%t2, %k]
    scf.yield %t3 : !gpu.async.token
  }
  gpu.wait [%r]
  memref.store %x, %s[%c0] : memref<8xf32>
  gpu.wait [%t1]
  return
}
