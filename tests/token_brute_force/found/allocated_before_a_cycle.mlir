// Expected: E0201. Once: proven.
// Both visits write the buffer that was allocated before the cycle.
func.func @f(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %g, %a = gpu.alloc async () : memref<8xf32, 1>
  cf.br ^body(%c0, %a : index, !gpu.async.token)
^body(%i: index, %k: !gpu.async.token):
  %t = gpu.memcpy async [%a] %g, %m : memref<8xf32, 1>, memref<8xf32>
  %q = gpu.wait async [%t, %k]
  %i2 = arith.addi %i, %c1 : index
  %go = arith.cmpi slt, %i2, %c2 : index
  cf.cond_br %go, ^body(%i2, %q : index, !gpu.async.token), ^exit
^exit:
  gpu.wait [%q]
  return
}
