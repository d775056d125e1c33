// Shows: two tasks in one group, and a wait for the group.
// Idea: a group is waited for with all that was put into it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @group(%a: memref<2xf32>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %group = async.create_group %two : !async.group
  %s = async.execute {
    memref.store %v, %a[%zero] : memref<2xf32>
    async.yield
  }
  %i = async.add_to_group %s, %group : !async.token
  %t = async.execute {
    memref.store %v, %a[%one] : memref<2xf32>
    async.yield
  }
  %j = async.add_to_group %t, %group : !async.token
  async.await_all %group
  %x = memref.load %a[%one] : memref<2xf32>
  return %x : f32
}
