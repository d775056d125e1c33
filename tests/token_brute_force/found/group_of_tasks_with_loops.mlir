// Expected: proven. Once: undecided, U0003.
// Each task waits for its own work, and all tasks are awaited.
func.func @f(%m: memref<8xf32, 1>, %h: memref<8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g0 = async.create_group %n : !async.group
  scf.for %j = %c0 to %n step %c1 {
    %a = async.execute {
      scf.for %i = %c0 to %n step %c1 {
        %g = gpu.alloc () : memref<8xf32, 1>
        %t = gpu.memset async %g, %x : memref<8xf32, 1>, f32
        gpu.wait [%t]
        gpu.memcpy %g, %h : memref<8xf32, 1>, memref<8xf32>
      }
      async.yield
    }
    %r = async.add_to_group %a, %g0 : !async.token
  }
  async.await_all %g0
  return
}
