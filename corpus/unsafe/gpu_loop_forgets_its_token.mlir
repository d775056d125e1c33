// Shows: a loop that hands on the token it came with, so that its copies overtake one another.
// Idea: `iter_args` order the iterations only when the loop yields the new token.
// RUN: verify-ir check %s --verify-diagnostics
func.func @last(%to: memref<1xf32, 1>, %from: memref<8xf32, 1>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ready = gpu.wait async
  %end = scf.for %i = %zero to %n step %one iter_args(%token = %ready) -> (!gpu.async.token) {
    %cell = memref.subview %from[%i] [1] [1] : memref<8xf32, 1> to memref<1xf32, strided<[1], offset: ?>, 1>
    // expected-error@+2 {{[E0201]}}
    // expected-error@+1 {{[E0203]}}
    %s = gpu.memcpy async [%token] %to, %cell : memref<1xf32, 1>, memref<1xf32, strided<[1], offset: ?>, 1>
    scf.yield %token : !gpu.async.token
  }
  // expected-warning@+1 {{[W0205]}}
  gpu.wait [%end]
  return
}
