// Shows: the host waits for a task and then reads what the task wrote.
// Idea: the quiet form of E0202 with host tasks.
// RUN: verify-ir check %s --verify-diagnostics
func.func @task(%cell: memref<1xf32>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %task = async.execute {
    memref.store %v, %cell[%zero] : memref<1xf32>
    async.yield
  }
  async.await %task : !async.token
  %x = memref.load %cell[%zero] : memref<1xf32>
  return %x : f32
}
