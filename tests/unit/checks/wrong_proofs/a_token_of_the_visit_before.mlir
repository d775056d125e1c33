// verdict: refuted E0203
func.func @f(%m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j = gpu.wait async
  cf.br ^head(%c0, %j : index, !gpu.async.token)
^head(%i: index, %k: !gpu.async.token):
  %t = gpu.memset async [%k] %m, %x : memref<8xf32>, f32
  %go = arith.cmpi slt, %i, %c1 : index
  cf.cond_br %go, ^body, ^exit
^body:
  %i2 = arith.addi %i, %c1 : index
  cf.br ^head(%i2, %t : index, !gpu.async.token)
^exit:
  gpu.wait [%k]
  return
}
