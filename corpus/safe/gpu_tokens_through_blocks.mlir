// Shows: a cycle of blocks that hands its token on as a block argument.
// Idea: branches carry tokens as `iter_args` do, in any graph of blocks.
// RUN: verify-ir check %s --verify-diagnostics
func.func @cycle(%host: memref<8xf32>, %device: memref<8xf32, 1>, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ready = gpu.wait async
  cf.br ^head(%zero, %ready : index, !gpu.async.token)
^head(%i: index, %token: !gpu.async.token):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %t = gpu.memcpy async [%token] %host, %device : memref<8xf32>, memref<8xf32, 1>
  %next = arith.addi %i, %one : index
  cf.br ^head(%next, %t : index, !gpu.async.token)
^end:
  gpu.wait [%token]
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
