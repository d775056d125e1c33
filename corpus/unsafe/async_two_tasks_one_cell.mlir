// Shows: two tasks that write one cell, and a wait for both.
// Idea: waiting for both at the end does not order the two.
// RUN: verify-ir check %s --verify-diagnostics
func.func @tasks(%cell: memref<1xf32>, %u: f32, %v: f32) {
  %zero = arith.constant 0 : index
  %one = async.execute {
    memref.store %u, %cell[%zero] : memref<1xf32>
    async.yield
  }
  %two = async.execute {
    // expected-error@+1 {{[E0202]}}
    memref.store %v, %cell[%zero] : memref<1xf32>
    async.yield
  }
  async.await %one : !async.token
  async.await %two : !async.token
  return
}
