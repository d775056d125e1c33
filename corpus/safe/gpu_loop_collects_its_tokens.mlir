// Shows: the copies of a loop go to places apart, without an order; one token collects them all.
// Idea: the quiet form of E0203 in a loop: a fork in each iteration and a join over all of them.
// RUN: verify-ir check %s --verify-diagnostics
func.func @scatter(%to: memref<8xf32, 1>, %from: memref<1xf32, 1>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %ready = gpu.wait async
  %end = scf.for %i = %zero to %eight step %one iter_args(%all = %ready) -> (!gpu.async.token) {
    %cell = memref.subview %to[%i] [1] [1] : memref<8xf32, 1> to memref<1xf32, strided<[1], offset: ?>, 1>
    %t = gpu.memcpy async %cell, %from : memref<1xf32, strided<[1], offset: ?>, 1>, memref<1xf32, 1>
    %both = gpu.wait async [%all, %t]
    scf.yield %both : !gpu.async.token
  }
  gpu.wait [%end]
  return
}
