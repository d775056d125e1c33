// Shows: nested checkpointed loops that use the buffer under one name only.
// Idea: the quiet form of nesting; each level replays on one copy.
// RUN: verify-ir check %s --verify-diagnostics
func.func @relax(%mesh: memref<12xf64>, %sweeps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  scf.for %s = %c0 to %sweeps step %c1 {
    scf.for %i = %c0 to %c11 step %c1 {
      %j = arith.addi %i, %c1 : index
      %x = memref.load %mesh[%i] : memref<12xf64>
      %y = memref.load %mesh[%j] : memref<12xf64>
      %z = arith.addf %x, %y : f64
      memref.store %z, %mesh[%j] : memref<12xf64>
    } {enzyme.enable_checkpointing = true}
  } {enzyme.enable_checkpointing = true}
  return
}
