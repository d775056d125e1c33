// verdict: refuted E0201 E0203 U0003
func.func @f(%m: memref<8xf32, 1>, %h: memref<1xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^body(%c0 : index)
^body(%i: index):
  %next = arith.addi %i, %c1 : index
  %a = memref.subview %m[%i] [1] [1] : memref<8xf32, 1> to memref<1xf32, strided<[1], offset: ?>, 1>
  %b = memref.subview %m[%next] [1] [1] : memref<8xf32, 1> to memref<1xf32, strided<[1], offset: ?>, 1>
  %t = gpu.memset async %b, %v : memref<1xf32, strided<[1], offset: ?>, 1>, f32
  %u = gpu.memcpy async %h, %a : memref<1xf32>, memref<1xf32, strided<[1], offset: ?>, 1>
  gpu.wait [%u]
  %go = arith.cmpi slt, %next, %n : index
  cf.cond_br %go, ^body(%next : index), ^exit
^exit:
  return
}
