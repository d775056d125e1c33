// Shows: two branches to one block; each brings the token of its own copy.
// Idea: the quiet form of E0202 behind a branch: what was not started needs no wait.
// RUN: verify-ir check %s --verify-diagnostics
func.func @merge(%c: i1, %host: memref<8xf32>, %device: memref<8xf32, 1>) -> f32 {
  %zero = arith.constant 0 : index
  %ready = gpu.wait async
  cf.cond_br %c, ^left, ^right
^left:
  %l = gpu.memcpy async [%ready] %host, %device : memref<8xf32>, memref<8xf32, 1>
  cf.br ^end(%l : !gpu.async.token)
^right:
  %r = gpu.memcpy async [%ready] %host, %device : memref<8xf32>, memref<8xf32, 1>
  cf.br ^end(%r : !gpu.async.token)
^end(%last: !gpu.async.token):
  gpu.wait [%last]
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
