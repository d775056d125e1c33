// Expected: E0203. Once: U0003 for the fill.
// The task may have issued the fill and still wait for it when the function returns.
func.func @f(%m: memref<8xf32>, %x: f32) {
  %a = async.execute {
    %t = gpu.memset async %m, %x : memref<8xf32>, f32
    gpu.wait [%t]
    async.yield
  }
  return
}
