// verdict: proven
func.func @f(%m: memref<8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %a = async.execute {
      %y = memref.load %m[%c0] : memref<8xf32>
      async.yield
    }
    %r = async.add_to_group %a, %g : !async.token
  }
  async.await_all %g
  memref.store %x, %m[%c0] : memref<8xf32>
  return
}
