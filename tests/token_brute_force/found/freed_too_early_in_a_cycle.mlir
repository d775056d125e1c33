// Expected: E0204. Once: undecided, U0003.
// The buffer is freed while its allocation and the copy to it may still run.
func.func @f(%m: memref<8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^exit
^body:
  %g, %a = gpu.alloc async () : memref<8xf32, 1>
  %t = gpu.memcpy async [%a] %g, %m : memref<8xf32, 1>, memref<8xf32>
  %d = gpu.dealloc async %g : memref<8xf32, 1>
  gpu.wait [%t, %d]
  %i2 = arith.addi %i, %c1 : index
  cf.br ^head(%i2 : index)
^exit:
  return
}
