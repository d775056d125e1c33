// Shows: a task inside a task, which the outer task waits for.
// Idea: the quiet form of E0203 with nested tasks.
// RUN: verify-ir check %s --verify-diagnostics
func.func @nested(%cell: memref<1xf32>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %outer = async.execute {
    %inner = async.execute {
      memref.store %v, %cell[%zero] : memref<1xf32>
      async.yield
    }
    async.await %inner : !async.token
    async.yield
  }
  async.await %outer : !async.token
  %x = memref.load %cell[%zero] : memref<1xf32>
  return %x : f32
}
