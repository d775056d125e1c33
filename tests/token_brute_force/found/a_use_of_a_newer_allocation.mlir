// Expected: E0204 W0205. The launch does not wait for the allocation. That it does not wait for the free
// of the visit before is right: that one ended other memory.
module {
  func.func @f(%m: memref<8xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^body(%c0 : index)
  ^body(%i: index):
    %g, %t = gpu.alloc async () : memref<8xf32, 1>
    %v = gpu.memcpy async %m, %g : memref<8xf32>, memref<8xf32, 1>
    gpu.wait [%v]
    %w = gpu.dealloc async [%v, %t] %g : memref<8xf32, 1>
    %next = arith.addi %i, %c1 : index
    gpu.wait [%w]
    %go = arith.cmpi slt, %next, %n : index
    cf.cond_br %go, ^body(%next : index), ^exit
  ^exit:
    return
  }
}
