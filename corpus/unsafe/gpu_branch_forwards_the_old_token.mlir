// Shows: two branches to one block; one brings the token of its copy, the other an older one.
// Idea: tokens travel through block arguments, and each way in has to bring the newest one.
// RUN: verify-ir check %s --verify-diagnostics
func.func @merge(%c: i1, %host: memref<8xf32>, %device: memref<8xf32, 1>) -> f32 {
  %zero = arith.constant 0 : index
  %ready = gpu.wait async
  cf.cond_br %c, ^left, ^right
^left:
  %l = gpu.memcpy async [%ready] %host, %device : memref<8xf32>, memref<8xf32, 1>
  cf.br ^end(%l : !gpu.async.token)
^right:
  // expected-error@+1 {{[E0203]}}
  %r = gpu.memcpy async [%ready] %host, %device : memref<8xf32>, memref<8xf32, 1>
  cf.br ^end(%ready : !gpu.async.token)
^end(%last: !gpu.async.token):
  gpu.wait [%last]
  // expected-error@+1 {{[E0202]}}
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}
