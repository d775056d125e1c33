// Expected: E0201 E0203.
// Two launches of one kernel: only the second may be late, and only it is open.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%b: memref<8xf32>, %v: f32) kernel {
      %c0 = arith.constant 0 : index
      memref.store %v, %b[%c0] : memref<8xf32>
      gpu.return
    }
  }
  func.func @f(%m: memref<8xf32>, %n: index, %t: !gpu.async.token, %x: f32, %y: f32, %z: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %t) -> (!gpu.async.token) {
      %g = async.create_group %n : !async.group
      scf.for %i2 = %c0 to %n step %c1 {
        %e = async.execute {
          async.yield
        }
        %s = async.add_to_group %e, %g : !async.token
      }
      async.await_all %g
      %a = gpu.launch_func async [%k] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xf32>, %x : f32)
      %b = gpu.launch_func async [%a] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xf32>, %y : f32)
      scf.yield %a : !gpu.async.token
    }
    gpu.wait [%r]
    return
  }
}
