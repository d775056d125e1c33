// Expected: E0201 E0203. The allocation waits for nothing, and needs not: it makes memory that no earlier
// copy can have used.
module {
  func.func @f(%m: memref<8xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^body(%c0 : index)
  ^body(%i: index):
    %g, %t = gpu.alloc async () : memref<8xf32, 1>
    %u = gpu.memcpy async [%t] %m, %g : memref<8xf32>, memref<8xf32, 1>
    %next = arith.addi %i, %c1 : index
    %go = arith.cmpi slt, %next, %n : index
    cf.cond_br %go, ^body(%next : index), ^exit
  ^exit:
    return
  }
}
