// Expected: E0201 E0203 E0204. Once: E0204 also for the allocation of a visit and the copy of the visit before.
// The late copy is open at the return; each visit has a buffer of its own.
func.func @f(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^exit
^body:
  %g, %a = gpu.alloc async () : memref<8xf32, 1>
  %t = gpu.memcpy async [%a] %m, %g : memref<8xf32>, memref<8xf32, 1>
  gpu.wait [%a]
  %d = gpu.dealloc async %g : memref<8xf32, 1>
  gpu.wait [%d]
  %i2 = arith.addi %i, %c1 : index
  cf.br ^head(%i2 : index)
^exit:
  return
}
