// verdict: refuted E0201
func.func @f(%m: memref<8xf32>, %h: memref<8xf32>, %h2: memref<8xf32>, %n: index, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %t = gpu.memset async %h, %x : memref<8xf32>, f32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %t) -> (!gpu.async.token) {
      %q = gpu.memcpy async [%t] %h2, %m : memref<8xf32>, memref<8xf32>
      gpu.wait [%q]
      %a = gpu.memset async [%k] %m, %y : memref<8xf32>, f32
      scf.yield %a : !gpu.async.token
    }
    gpu.wait [%r]
  }
  return
}
