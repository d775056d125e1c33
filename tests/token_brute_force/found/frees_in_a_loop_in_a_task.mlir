// Expected: E0201 E0202 E0203 U0003. Once also: E0204 for the launch and the free.
// Each iteration of each task frees its own buffer after a launch that the task waits for.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<8xf32>, %b: memref<8xf32, 1>, %v: f32) kernel {
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%c0] : memref<8xf32>
      memref.store %x, %b[%c0] : memref<8xf32, 1>
      gpu.return
    }
  }
  func.func @f(%m: memref<8xf32>, %n: index, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %a = async.execute {
        gpu.memset %m, %v : memref<8xf32>, f32
        scf.for %j = %c0 to %n step %c1 {
          %g = gpu.alloc () : memref<8xf32, 1>
          gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xf32>, %g : memref<8xf32, 1>, %v : f32)
          %t = gpu.dealloc async %g : memref<8xf32, 1>
          %u = gpu.memset async %m, %v : memref<8xf32>, f32
          gpu.wait [%u]
          %x = memref.load %m[%c1] : memref<8xf32>
          gpu.wait [%t]
        }
        async.yield
      }
    }
    return
  }
}
