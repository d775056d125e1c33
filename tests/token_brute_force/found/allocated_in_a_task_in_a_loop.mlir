// Expected: E0201 E0202 E0203. Once also: E0201 for launch and launch.
// Each task has its own buffer, and each iteration stores to its own element: launches do not meet.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<8xf32, 1>, %b: memref<8xf32>, %i: index, %v: f32) kernel {
      %c0 = arith.constant 0 : index
      memref.store %v, %a[%c0] : memref<8xf32, 1>
      memref.store %v, %b[%i] : memref<8xf32>
      gpu.return
    }
  }
  func.func @f(%m: memref<8xf32>, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %a = async.execute {
        %g = gpu.alloc () : memref<8xf32, 1>
        %x = memref.load %m[%c1] : memref<8xf32>
        %t = gpu.launch_func async @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%g : memref<8xf32, 1>, %m : memref<8xf32>, %i : index, %v : f32)
        async.yield
      }
    }
    return
  }
}
