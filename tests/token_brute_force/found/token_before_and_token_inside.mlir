// Expected: proven. Once: undecided, and W0205 for the wait that is needed.
// %k knows the fills of earlier iterations, %s that of this one if there is one.
func.func @f(%m: memref<8xf32>, %n: index, %p: i1, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = gpu.wait async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %j) -> (!gpu.async.token) {
    %s = scf.if %p -> (!gpu.async.token) {
      %a = gpu.memset async [%k] %m, %x : memref<8xf32>, f32
      scf.yield %a : !gpu.async.token
    } else {
      %b = gpu.wait async
      scf.yield %b : !gpu.async.token
    }
    %q = gpu.wait async [%k, %s]
    scf.yield %q : !gpu.async.token
  }
  gpu.wait [%r]
  return
}
