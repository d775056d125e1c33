// Shows: the same counter as `unsafe/global_counter.mlir`, looked up above the loop.
// Idea: a captured memref of a global is snapshotted like any other.
// RUN: verify-ir check %s --verify-diagnostics
memref.global "private" @counter : memref<1xi64> = dense<0>
func.func @count(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %counter = memref.get_global @counter : memref<1xi64>
  scf.for %i = %c0 to %n step %c1 {
    %old = memref.load %counter[%c0] : memref<1xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %counter[%c0] : memref<1xi64>
  } {enzyme.enable_checkpointing = true}
  return
}
