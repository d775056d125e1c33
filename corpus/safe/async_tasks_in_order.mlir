// Shows: two tasks that write one cell; the second one depends on the first.
// Idea: a dependency of `async.execute` orders the whole of one region before the other.
// RUN: verify-ir check %s --verify-diagnostics
func.func @tasks(%cell: memref<1xf32>, %u: f32, %v: f32) {
  %zero = arith.constant 0 : index
  %one = async.execute {
    memref.store %u, %cell[%zero] : memref<1xf32>
    async.yield
  }
  %two = async.execute [%one] {
    memref.store %v, %cell[%zero] : memref<1xf32>
    async.yield
  }
  async.await %two : !async.token
  return
}
