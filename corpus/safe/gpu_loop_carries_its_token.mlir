// Shows: a loop whose copies form one chain through `iter_args`.
// Idea: the quiet form of E0201 in a loop: each iteration yields the token that it made.
// RUN: verify-ir check %s --verify-diagnostics
func.func @last(%to: memref<1xf32, 1>, %from: memref<8xf32, 1>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ready = gpu.wait async
  %end = scf.for %i = %zero to %n step %one iter_args(%token = %ready) -> (!gpu.async.token) {
    %cell = memref.subview %from[%i] [1] [1] : memref<8xf32, 1> to memref<1xf32, strided<[1], offset: ?>, 1>
    %s = gpu.memcpy async [%token] %to, %cell : memref<1xf32, 1>, memref<1xf32, strided<[1], offset: ?>, 1>
    scf.yield %s : !gpu.async.token
  }
  gpu.wait [%end]
  return
}
