// Shows: a declared function that only reads, but may read memory it was not given: perhaps the
// buffer itself, where a replay has a copy.
// Idea: "reads" alone says how, not where; `safe/callee_that_only_reads.mlir` says both.
// RUN: verify-ir check %s --verify-diagnostics
func.func private @norm(memref<6xf32>) -> f32 attributes {enzymexla.memory_effects = ["read"]}
func.func @calls(%data: memref<6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark@+1 {{[U0002]}}
    %norm = func.call @norm(%data) : (memref<6xf32>) -> f32
    memref.store %norm, %data[%c0] : memref<6xf32>
  } {enzyme.enable_checkpointing = true}
  return
}
