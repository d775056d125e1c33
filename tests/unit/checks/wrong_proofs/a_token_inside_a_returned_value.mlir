// verdict: proven
func.func @f(%a: memref<8xf32, 1>, %v: f32) -> !async.value<!gpu.async.token> {
  %at, %av = async.execute -> !async.value<!gpu.async.token> {
    %t0 = gpu.memset async %a, %v : memref<8xf32, 1>, f32
    async.yield %t0 : !gpu.async.token
  }
  return %av : !async.value<!gpu.async.token>
}
