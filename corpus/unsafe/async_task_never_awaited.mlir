// Shows: a task that may still run when the function returns.
// Idea: the token of an `async.execute` is the only thing that speaks for it.
// RUN: verify-ir check %s --verify-diagnostics
func.func @leave(%cell: memref<1xf32>, %v: f32) {
  %zero = arith.constant 0 : index
  // expected-error@+1 {{[E0203]}}
  %task = async.execute {
    memref.store %v, %cell[%zero] : memref<1xf32>
    async.yield
  }
  return
}
