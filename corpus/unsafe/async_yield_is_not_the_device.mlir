// Shows: a task starts a copy and ends; its token says nothing about the copy.
// Idea: a task is over when its region has yielded, which does not wait for the device.
// RUN: verify-ir check %s --verify-diagnostics
func.func @started(%host: memref<8xf32>, %device: memref<8xf32, 1>) -> f32 {
  %zero = arith.constant 0 : index
  %task, %value = async.execute -> !async.value<!gpu.async.token> {
    %copied = gpu.memcpy async %host, %device : memref<8xf32>, memref<8xf32, 1>
    async.yield %copied : !gpu.async.token
  }
  async.await %task : !async.token
  // expected-error@+1 {{[E0202]}}
  %x = memref.load %host[%zero] : memref<8xf32>
  %copied = async.await %value : !async.value<!gpu.async.token>
  gpu.wait [%copied]
  return %x : f32
}
