// verdict: refuted E0203
func.func @f(%m: memref<8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.memset async %m, %x : memref<8xf32>, f32
  %g = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %a = async.execute {
      gpu.wait [%t]
      async.yield
    }
    %r = async.add_to_group %a, %g : !async.token
  }
  async.await_all %g
  return
}
