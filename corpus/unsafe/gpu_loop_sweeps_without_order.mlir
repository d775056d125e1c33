// Shows: each copy of a loop reads what the one before it wrote; all are joined, none are ordered.
// Idea: a token that collects the copies of all iterations says when they are done, not in which order.
// RUN: verify-ir check %s --verify-diagnostics
func.func @sweep(%a: memref<8xf32, 1>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %ready = gpu.wait async
  %end = scf.for %i = %zero to %seven step %one iter_args(%all = %ready) -> (!gpu.async.token) {
    %j = arith.addi %i, %one : index
    %from = memref.subview %a[%i] [1] [1] : memref<8xf32, 1> to memref<1xf32, strided<[1], offset: ?>, 1>
    %to = memref.subview %a[%j] [1] [1] : memref<8xf32, 1> to memref<1xf32, strided<[1], offset: ?>, 1>
    // expected-error@+1 {{[E0201]}}
    %t = gpu.memcpy async %to, %from : memref<1xf32, strided<[1], offset: ?>, 1>, memref<1xf32, strided<[1], offset: ?>, 1>
    %both = gpu.wait async [%all, %t]
    scf.yield %both : !gpu.async.token
  }
  gpu.wait [%end]
  return
}
