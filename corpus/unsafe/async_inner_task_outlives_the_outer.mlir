// Shows: a task inside a task; the host waits for the outer one only.
// Idea: an outer task ends when its region has yielded, whatever it has started.
// RUN: verify-ir check %s --verify-diagnostics
func.func @nested(%cell: memref<1xf32>, %v: f32) -> f32 {
  %zero = arith.constant 0 : index
  %outer = async.execute {
    // expected-error@+1 {{[E0203]}}
    %inner = async.execute {
      memref.store %v, %cell[%zero] : memref<1xf32>
      async.yield
    }
    async.yield
  }
  async.await %outer : !async.token
  // expected-error@+1 {{[E0202]}}
  %x = memref.load %cell[%zero] : memref<1xf32>
  return %x : f32
}
