// Shows: the host reads what a task writes, and waits for the task afterwards.
// Idea: the body of `async.execute` runs beside the code that follows it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @task(%cell: memref<1xf32>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %task = async.execute {
    memref.store %v, %cell[%zero] : memref<1xf32>
    async.yield
  }
  // expected-error@+1 {{[E0202]}}
  %x = memref.load %cell[%zero] : memref<1xf32>
  async.await %task : !async.token
  return %x : f32
}
