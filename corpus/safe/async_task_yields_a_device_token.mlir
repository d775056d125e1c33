// Shows: a task starts a copy and yields its token; the host waits for the task, then for the copy.
// Idea: the token of device work can be the value of a task.
// RUN: verify-ir check %s --verify-diagnostics
func.func @started(%host: memref<8xf32>, %device: memref<8xf32, 1>) -> f32 {
  %zero = arith.constant 0 : index
  %task, %value = async.execute -> !async.value<!gpu.async.token> {
    %t = gpu.memcpy async %host, %device : memref<8xf32>, memref<8xf32, 1>
    async.yield %t : !gpu.async.token
  }
  %copied = async.await %value : !async.value<!gpu.async.token>
  gpu.wait [%copied]
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
