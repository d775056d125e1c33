// Shows: the real pass dies on nested regions that wait for one another. It moves the wait of `%x` to
// the end of `%y`, then copies the region of `%t` to add a result, and goes on with the wait in the
// region that it has just erased.
// Idea: an `async.execute` whose users are inside another one that also ends with a wait.
// Seen with: MLIR 22.1.8 (SIGSEGV), pipeline `func.func(gpu-async-region)`; MLIR 16, 19, 21 and enzyme-ad
// 0.0.16 die too.
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
// expected-error@-7 {{after:mlir:func.func(gpu-async-region) [E0304]}}
func.func @nested(%field: memref<8xf32>, %zero: f32) {
  %t = async.execute {
    %x = async.execute {
      gpu.memset %field, %zero : memref<8xf32>, f32
      async.yield
    }
    %y = async.execute [%x] {
      async.yield
    }
    async.await %y : !async.token
    gpu.memset %field, %zero : memref<8xf32>, f32
    async.yield
  }
  async.await %t : !async.token
  return
}
