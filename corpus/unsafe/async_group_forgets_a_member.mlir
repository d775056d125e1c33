// Shows: two tasks of which only one is put into the group that is waited for.
// Idea: `async.await_all` knows nothing of tasks outside its group.
// RUN: verify-ir check %s --verify-diagnostics
func.func @group(%a: memref<2xf32>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s = async.execute {
    memref.store %v, %a[%zero] : memref<2xf32>
    async.yield
  }
  // expected-error@+1 {{[E0203]}}
  %t = async.execute {
    memref.store %v, %a[%one] : memref<2xf32>
    async.yield
  }
  %group = async.create_group %one : !async.group
  %index = async.add_to_group %s, %group : !async.token
  async.await_all %group
  // expected-error@+1 {{[E0202]}}
  %x = memref.load %a[%one] : memref<2xf32>
  return %x : f32
}
