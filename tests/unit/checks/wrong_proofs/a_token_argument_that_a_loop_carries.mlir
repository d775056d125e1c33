// verdict: proven
func.func @f(%m: memref<8xf32>, %n: index, %t: !gpu.async.token, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %t) -> (!gpu.async.token) {
    %a = gpu.memset async [%k] %m, %x : memref<8xf32>, f32
    scf.yield %a : !gpu.async.token
  }
  gpu.wait [%r]
  return
}
