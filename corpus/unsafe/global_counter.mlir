// Shows: the loop counts in a global that it looks up itself. Nothing captures the global, so no
// snapshot holds it, and a replay counts on from where the primal ended.
// Idea: state that is reached by name and not by a value.
// RUN: verify-ir check %s --verify-diagnostics
memref.global "private" @counter : memref<1xi64> = dense<0>
func.func @count(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 {
    %counter = memref.get_global @counter : memref<1xi64>
    // expected-error@+1 {{[E0105]}}
    %old = memref.load %counter[%c0] : memref<1xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %counter[%c0] : memref<1xi64>
  } {enzyme.enable_checkpointing = true}
  return
}
