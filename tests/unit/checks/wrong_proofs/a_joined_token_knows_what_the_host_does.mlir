// verdict: proven
func.func @f(%m: memref<8xf32>, %h: memref<8xf32>, %n: index, %p: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.memset async %h, %x : memref<8xf32>, f32
  scf.for %i = %c0 to %n step %c1 {
    %r = scf.if %p -> (!gpu.async.token) {
      %a = gpu.memset async %m, %x : memref<8xf32>, f32
      scf.yield %a : !gpu.async.token
    } else {
      scf.yield %t : !gpu.async.token
    }
    gpu.wait [%r]
  }
  gpu.wait [%t]
  return
}
