// Shows: two arguments that nothing keeps apart, checked without the usual assumption.
// Idea: the caller may pass one buffer twice; `safe/two_arguments.mlir` is the same loop.
// RUN: verify-ir check %s --arguments may-alias --verify-diagnostics
func.func @axpy(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  scf.for %i = %c0 to %c15 step %c1 {
    // expected-error@+1 {{[E0101]}}
    %a = memref.load %x[%i] : memref<16xf32>
    %j = arith.addi %i, %c1 : index
    memref.store %a, %y[%j] : memref<16xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
