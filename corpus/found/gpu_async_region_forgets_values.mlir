// Shows: the region's wait moves to the users of its token. The value that the region yields is ready
// before the copy is done, and the load in between reads what was there before.
// Idea: a dependency runs along the values of `async.execute` as well as along its token.
// Seen with: MLIR 22.1.8, pipeline `func.func(gpu-async-region)`; the same with MLIR 16, 19 and 21 and enzyme-ad 0.0.16.
// RUN: verify-ir passes %s -p "mlir:func.func(gpu-async-region)" --verify-diagnostics
func.func @early(%device: memref<8xf32, 1>, %host: memref<8xf32>, %last: index) -> f32 {
  %done, %size = async.execute -> !async.value<index> {
    gpu.memcpy %host, %device : memref<8xf32>, memref<8xf32, 1>
    async.yield %last : index
  }
  %i = async.await %size : !async.value<index>
  // expected-error@+2 {{after:mlir:func.func(gpu-async-region) [E0202]}}
  // expected-error@+1 {{after:mlir:func.func(gpu-async-region) [E0303]}}
  %x = memref.load %host[%i] : memref<8xf32>
  // expected-warning@+2 {{[W0205]}}
  // expected-warning@+1 {{after:mlir:func.func(gpu-async-region) [W0205]}}
  async.await %done : !async.token
  return %x : f32
}
