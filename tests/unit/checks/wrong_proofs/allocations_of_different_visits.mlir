// verdict: proven
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = gpu.wait async
  cf.br ^body(%c0, %j : index, !gpu.async.token)
^body(%i: index, %k: !gpu.async.token):
  %g = gpu.alloc () : memref<8xf32, 1>
  %t = gpu.dealloc async %g : memref<8xf32, 1>
  %q = gpu.wait async [%t, %k]
  %i2 = arith.addi %i, %c1 : index
  %go = arith.cmpi slt, %i2, %n : index
  cf.cond_br %go, ^body(%i2, %q : index, !gpu.async.token), ^exit
^exit:
  gpu.wait [%q]
  return
}
